package guest

import "github.com/hermes-cdp/hermes-cdp/abi"

// The buffers of a call. They grow to the largest event and verdict that the instance has seen.
var (
	event  []byte
	result []byte
)

// Event reads the event of the current call, which has n bytes. The bytes are valid until the call ends; ok is false
// when the host does not give them, and the reason is then written.
func Event(n int32) (_ []byte, ok bool) {
	if n < 0 {
		Fail("the length of the event is negative")
		return nil, false
	}
	if int(n) > cap(event) {
		event = make([]byte, n)
	}
	event = event[:n]
	if got := eventRead(event); got != n {
		if got >= 0 {
			Fail("event_read: the event has another length than the call said")
		} else {
			Fail("event_read: " + abi.Code(got).String())
		}
		return nil, false
	}
	return event, true
}

// Verdict is an encoder of package abi.
type Verdict interface {
	Append(dst []byte) []byte
}

// Decide writes the verdict.
func Decide(v Verdict) abi.Status {
	result = v.Append(result[:0])
	if n := resultWrite(result); n < 0 {
		return Fail("result_write: " + abi.Code(n).String())
	}
	return abi.StatusDecided
}

// Fail writes the reason for which there is no verdict.
func Fail(reason string) abi.Status {
	errorWrite(reason)
	return abi.StatusError
}

// Log writes a line to the host's log.
func Log(level abi.LogLevel, line string) { log(int32(level), line) }

// LogEnabled tells whether the host keeps lines of that level.
func LogEnabled(level abi.LogLevel) bool { return logEnabled(int32(level)) }

// Features returns the bits of the host's optional functions.
func Features() uint64 { return features() }
