package guest

import (
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// firstAnswerBytes is room for most values, so that most questions are asked once.
const firstAnswerBytes = 512

// answer receives what the host has under a key. It grows to the largest value that the instance has seen.
var answer []byte

// KVGet returns a copy of the plugin's value for the task; the code is 0, or why there is none.
func KVGet(key string) ([]byte, abi.Code) {
	value, code := ask(kvGet, key)
	return append([]byte(nil), value...), code
}

// KVSet stores a value; the code is 0, or why it was not stored.
func KVSet(key string, value []byte) abi.Code { return onlyCode(kvSet(key, value)) }

// KVDelete deletes a value; the code is 0, or why it could not.
func KVDelete(key string) abi.Code { return onlyCode(kvDelete(key)) }

// KVList returns the keys that start with the prefix, sorted by their bytes; the code is 0, or why it could not.
func KVList(prefix string) ([]string, abi.Code) {
	encoded, code := ask(kvList, prefix)
	if code != 0 {
		return nil, code
	}
	var list abi.KeyList
	if err := list.Unmarshal(encoded); err != nil {
		return nil, abi.CodeInternal // the host wrote what is no list
	}
	return list.Keys, 0
}

// StateGet returns a copy of the host's state under a key; the code is 0, or why there is none.
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

// IsKey reports whether the host can have something under such a key.
func IsKey(key string) bool { return key != "" && IsPrefix(key) }

// IsPrefix reports whether a key can start with that, which may be empty.
func IsPrefix(prefix string) bool { return len(prefix) <= abi.MaxKeyBytes && utf8.ValidString(prefix) }
