package guest

import (
	"time"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// firstAnswerBytes is enough for most values, so that most take one call.
const firstAnswerBytes = 512

// answer receives the values of the host. It grows to the largest value of the instance.
var answer []byte

// KVGet returns a copy of a value in the plugin's store; the code is 0, or says why there is none.
func KVGet(key string) ([]byte, abi.Code) {
	value, code := ask(kvGet, key)
	return append([]byte(nil), value...), code
}

// KVSet stores a value; the code is 0, or says why it was not stored.
func KVSet(key string, value []byte) abi.Code { return onlyCode(kvSet(key, value)) }

// KVSetTTL stores a value for a time; the code is 0, or says why it was not stored.
func KVSetTTL(key string, value []byte, ttl time.Duration) abi.Code {
	return onlyCode(kvSetTTL(key, value, ttl))
}

// KVCompareAndSet stores a value in place of the old one, or where there is none if that is nil; the code is 0, or says
// why it was not stored.
func KVCompareAndSet(key string, old, value []byte, ttl time.Duration) abi.Code {
	return onlyCode(kvCompareAndSet(key, old, value, ttl))
}

// KVDelete deletes a value; the code is 0, or says why it could not.
func KVDelete(key string) abi.Code { return onlyCode(kvDelete(key)) }

// KVList returns the keys with a prefix, sorted by their bytes; the code is 0, or says why it could not.
func KVList(prefix string) ([]string, abi.Code) {
	encoded, code := ask(kvList, prefix)
	if code != 0 {
		return nil, code
	}
	var list abi.KeyList
	if err := list.Unmarshal(encoded); err != nil {
		return nil, abi.CodeInternal // the host wrote something else than a list
	}
	return list.Keys, 0
}

// StateGet returns a copy of the host's state under a key; the code is 0, or says why there is none.
func StateGet(key string) ([]byte, abi.Code) {
	value, code := ask(stateGet, key)
	return append([]byte(nil), value...), code
}

// ask calls an import that copies its answer only if it fits, and always returns the length. The bytes are valid until
// the next call.
func ask(get func(key string, buf []byte) int32, key string) ([]byte, abi.Code) {
	if answer == nil {
		answer = make([]byte, firstAnswerBytes)
	}
	for {
		n := get(key, answer)
		switch {
		case n < 0:
			return nil, abi.Code(n)
		case int(n) <= len(answer):
			return answer[:n], 0
		}
		answer = make([]byte, n)
	}
}

func onlyCode(n int32) abi.Code { return min(abi.Code(n), 0) }

// IsKey reports whether a key is valid.
func IsKey(key string) bool { return key != "" && IsPrefix(key) }

// IsPrefix reports whether a valid key can start with a prefix, which may be empty.
func IsPrefix(prefix string) bool { return len(prefix) <= abi.MaxKeyBytes && utf8.ValidString(prefix) }

// CallEmbedder calls a function of the embedder, once: an answer that does not fit the buffer is read with answer_read.
// With [abi.CodeFailed] the answer is the reason.
func CallEmbedder(call func(buf []byte) int32) ([]byte, abi.Code) {
	if answer == nil {
		answer = make([]byte, firstAnswerBytes)
	}
	n := call(answer)
	switch {
	case n == int32(abi.CodeFailed):
		reason, _ := heard()
		return reason, abi.CodeFailed
	case n < 0:
		return nil, abi.Code(n)
	case int(n) <= len(answer):
		return append([]byte(nil), answer[:n]...), 0
	}
	return heard()
}

// heard returns a copy of the latest answer of the embedder.
func heard() ([]byte, abi.Code) {
	value, code := ask(func(_ string, buf []byte) int32 { return answerRead(buf) }, "")
	return append([]byte(nil), value...), code
}
