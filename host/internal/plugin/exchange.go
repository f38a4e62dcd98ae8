package plugin

import (
	"time"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// The functions of hermes_v1 that ask the environment. Each checks, in this order: DENIED without the grant or outside
// a hook; TOO_LARGE for a key over its limit; BAD_MEMORY for a key or value outside the guest's memory, or a key that
// is not UTF-8; TOO_LARGE for a time to live over its limit, or if the call has exchanged too much. Only then is the
// environment asked. So what it is asked, and what is recorded, depends only on the module, its event and the previous
// answers.

// listedKeyFuel is the cost of finding, sorting and encoding one key, in addition to its bytes.
const listedKeyFuel = 32

// stateGet is state_get(key, key_len, buf, limit): the length of the value, which is copied if it fits.
func (i *instance) stateGet(stack []uint64) {
	i.get(i.module.mayRead, guestio.Environment.StateGet, stack)
}

// kvGet is kv_get(key, key_len, buf, limit): the length of the value, which is copied if it fits.
func (i *instance) kvGet(stack []uint64) { i.get(i.module.mayStore, guestio.Environment.KVGet, stack) }

func (i *instance) get(granted bool, ask func(guestio.Environment, string) ([]byte, abi.Code), stack []uint64) {
	key, c := i.key(granted, stack, 1)
	if c == 0 {
		c = i.question(len(key))
	}
	if c != 0 {
		stack[0] = code(c)
		return
	}
	value, c := ask(i.environment, key)
	i.answered()
	stack[0] = i.answer(value, c, stack)
}

// kvSet is kv_set(key, key_len, value, value_len): the length of the value.
func (i *instance) kvSet(stack []uint64) {
	i.write(stack, nil, stack[2:4], 0, func(key string, _, value []byte, _ time.Duration) abi.Code {
		return guestio.Known(i.environment.KVSet(key, value))
	})
}

// kvSetTTL is kv_set_ttl(key, key_len, value, value_len, ttl_ms): the length of the value.
func (i *instance) kvSetTTL(stack []uint64) {
	i.write(stack, nil, stack[2:4], stack[4], func(key string, _, value []byte, ttl time.Duration) abi.Code {
		return guestio.Known(i.environment.KVSetTTL(key, value, ttl))
	})
}

// kvCompareAndSet is kv_compare_and_set(key, key_len, old, old_len, value, value_len, ttl_ms): the length of the value.
func (i *instance) kvCompareAndSet(stack []uint64) {
	i.write(stack, stack[2:4], stack[4:6], stack[6], func(key string, old, value []byte, ttl time.Duration) abi.Code {
		return guestio.KnownOfCompare(i.environment.KVCompareAndSet(key, old, value, ttl))
	})
}

// write reads what a write has for arguments, and stores it: oldAt, which may be nil, and valueAt are pointers with
// lengths, ttl is in milliseconds.
func (i *instance) write(stack, oldAt, valueAt []uint64, ttl uint64, store func(key string, old, value []byte, ttl time.Duration) abi.Code) {
	size := uint32(valueAt[1])
	c := func() abi.Code {
		key, c := i.key(i.module.mayStore, stack, 1)
		if c != 0 {
			return c
		}
		var old []byte
		ok := true
		if oldAt != nil && uint32(oldAt[1]) != abi.KVNoValue {
			old, ok = i.memory.Read(uint32(oldAt[0]), uint32(oldAt[1]))
		}
		value, readable := i.memory.Read(uint32(valueAt[0]), size)
		switch {
		case !ok || !readable:
			return abi.CodeBadMemory
		case ttl > uint64(abi.MaxKVTTL/time.Millisecond):
			return abi.CodeTooLarge
		}
		if c := i.question(len(key) + len(old) + len(value)); c != 0 {
			return c
		}
		c = store(key, old, value, time.Duration(ttl)*time.Millisecond)
		i.answered()
		return c
	}()
	if c != 0 {
		stack[0] = code(c)
		return
	}
	stack[0] = uint64(size)
}

// kvDelete is kv_delete(key, key_len): 0.
func (i *instance) kvDelete(stack []uint64) {
	key, c := i.key(i.module.mayStore, stack, 1)
	if c == 0 {
		c = i.question(len(key))
	}
	if c == 0 {
		c = guestio.Known(i.environment.KVDelete(key))
		i.answered()
	}
	stack[0] = code(c)
}

// kvList is kv_list(prefix, prefix_len, buf, limit): the length of the encoded [abi.KeyList], which is copied if it
// fits.
func (i *instance) kvList(stack []uint64) {
	prefix, c := i.key(i.module.mayStore, stack, 0)
	if c == 0 {
		c = i.question(len(prefix))
	}
	if c != 0 {
		stack[0] = code(c)
		return
	}
	keys, c := i.environment.KVList(prefix)
	i.answered()
	i.allowance.spend(listedKeyFuel * len(keys))
	i.list = (&abi.KeyList{Keys: keys}).Append(i.list[:0])
	stack[0] = i.answer(i.list, c, stack)
}

// key reads the key that the first two arguments name and that has at least the given length. A code other than 0 is
// the answer to the guest.
func (i *instance) key(granted bool, stack []uint64, least uint32) (key string, c abi.Code) {
	if !granted || !i.inHook {
		return "", abi.CodeDenied
	}
	ptr, size := uint32(stack[0]), uint32(stack[1])
	if size > abi.MaxKeyBytes {
		return "", abi.CodeTooLarge
	}
	text, ok := i.memory.Read(ptr, size)
	if !ok || size < least || !utf8.Valid(text) {
		return "", abi.CodeBadMemory
	}
	return string(text), 0
}

// question charges a request of the given size and returns 0 if the environment may be asked.
func (i *instance) question(bytes int) abi.Code {
	i.allowance.spend(abi.ExchangeOverhead + bytes)
	if !i.take(abi.ExchangeOverhead + bytes) {
		return abi.CodeTooLarge
	}
	i.allowance.check(FaultDeadline) // so that answered only measures the environment
	return 0
}

// answer copies the result of the environment into the buffer that the last two arguments name.
func (i *instance) answer(value []byte, c abi.Code, stack []uint64) uint64 {
	switch c = guestio.Known(c); {
	case c != 0:
		return code(c)
	case !i.take(len(value)):
		return code(abi.CodeTooLarge)
	}
	return i.copyOut(value, uint32(stack[2]), uint32(stack[3]))
}

// take counts bytes exchanged with the environment against the limit of the call. The limit bounds both the work of the
// host and the size of a recording.
func (i *instance) take(bytes int) bool {
	i.exchanged += bytes
	return i.exchanged <= i.module.limits.ExchangeBytes
}

// answered ends the call if its time ran out while the environment was answering.
func (i *instance) answered() { i.allowance.check(FaultInternal) }
