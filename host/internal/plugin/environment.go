package plugin

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Environment is what a guest can ask the host for during one call, beyond its event and its configuration. The module's
// grants, and the form and length of keys, are checked before it is asked. Values that it returns are not changed and stay
// valid until the call ends; values that it is given must be copied. One call uses it from one goroutine.
//
// It is asked on the goroutine that runs the guest, and so answers from memory. One that has to wait all the same is made
// for its call and ends with that call's context. The host looks at the clock when it returns: the call of one that took too
// long ends there, as a [FaultInternal] and not as the guest's own lack of time. Other calls have instances of their own and
// do not wait for it.
type Environment interface {
	// StateGet returns the host's state under a key, as JSON.
	StateGet(key string) (value []byte, code abi.Code)
	// KVGet returns the plugin's own value for the task.
	KVGet(key string) (value []byte, code abi.Code)
	// KVSet stores a value: 0, or [abi.CodeTooLarge] when it does not fit.
	KVSet(key string, value []byte) abi.Code
	// KVDelete removes a key: 0, or [abi.CodeNotFound] where there was none.
	KVDelete(key string) abi.Code
	// KVList returns the keys with the prefix, sorted by their bytes; none is no error.
	KVList(prefix string) (keys []string, code abi.Code)
}

// Exchange is one question of a guest to its environment, with the answer. The exchanges of a call, in order, replay it.
type Exchange struct {
	Import string   `json:"import"` // abi.ImportStateGet, abi.ImportKVGet and so on
	Key    string   `json:"key"`    // or the prefix
	Value  []byte   `json:"value,omitempty"`
	Keys   []string `json:"keys,omitempty"`
	Code   abi.Code `json:"code,omitempty"` // 0 or negative
}

// nothing is the environment of a call that was given none.
type nothing struct{}

func orNothing(env Environment) Environment {
	if env == nil {
		return nothing{}
	}
	return env
}

func (nothing) StateGet(string) ([]byte, abi.Code) { return nil, abi.CodeNotFound }
func (nothing) KVGet(string) ([]byte, abi.Code)    { return nil, abi.CodeNotFound }
func (nothing) KVSet(string, []byte) abi.Code      { return abi.CodeTooLarge }
func (nothing) KVDelete(string) abi.Code           { return abi.CodeNotFound }
func (nothing) KVList(string) ([]string, abi.Code) { return nil, 0 }
