package guest

import "github.com/hermes-cdp/hermes-cdp/abi"

// result is the buffer of a verdict. It grows to the largest one of the instance.
var result []byte

// room is memory for the next events. The strings of an event are made of its bytes, and no bytes have two events: so a
// string that a handler keeps stays as it is. What is not kept is garbage, a piece of memory at a time.
var room []byte

// roomBytes is how much memory is made at a time; an event that would leave much of it unused has its own.
const roomBytes = 8 << 10

func roomFor(n int) []byte {
	if n > len(room) {
		if n > roomBytes/4 {
			return make([]byte, n)
		}
		room = make([]byte, roomBytes)
	}
	bytes := room[:n:n]
	room = room[n:]
	return bytes
}

// Abstain is the error of a handler that leaves the decision to others.
const Abstain = Error("the plugin abstains")

// Nothing is the verdict of a hook that has none.
type Nothing struct{}

// Append appends nothing.
func (*Nothing) Append(dst []byte) []byte { return dst }

// Serve is the body of a hook's export: it decodes the event, which has n bytes, and writes the verdict that decide
// returns, or the reason why there is none. The slices of the event are valid until the call ends, its strings
// without end.
//
// The type parameters are pointers to messages of package abi. Interfaces would add descriptions of their types to the
// guest.
func Serve[E interface{ UnmarshalAlias(src []byte) error }, V interface{ Append(dst []byte) []byte }](
	n int32, message E, decide func() (V, error),
) int32 {
	src, err := readEvent(n)
	if err == nil {
		err = message.UnmarshalAlias(src)
	}
	var verdict V
	if err == nil {
		verdict, err = decide()
	}
	// errors.Is, or comparing two interfaces, would cost a guest 15 KB.
	if text, ok := err.(Error); ok && text == Abstain { //nolint:errorlint // nobody wraps it
		return int32(abi.StatusAbstain)
	}
	if err != nil {
		return int32(fail(err))
	}
	result = verdict.Append(result[:0])
	if code := resultWrite(result); code < 0 {
		return int32(fail(Error("result_write: " + abi.Code(code).String())))
	}
	return int32(abi.StatusDecided)
}

// readEvent reads the event of the current call.
func readEvent(n int32) ([]byte, error) {
	if n < 0 {
		return nil, Error("the length of the event is negative")
	}
	event := roomFor(int(n))
	switch got := eventRead(event); {
	case got == n:
		return event, nil
	case got >= 0:
		return nil, Error("event_read: the event is not as long as the call said")
	default:
		return nil, Error("event_read: " + abi.Code(got).String())
	}
}

// fail writes the reason why there is no verdict.
func fail(err error) abi.Status {
	errorWrite(err.Error())
	return abi.StatusError
}

// Log writes a line to the host's log.
func Log(level abi.LogLevel, line string) { log(int32(level), line) }

// LogEnabled reports whether the host keeps lines of a level.
func LogEnabled(level abi.LogLevel) bool { return logEnabled(int32(level)) }

// Features returns a bit for each of the host's optional functions.
func Features() uint64 { return features() }
