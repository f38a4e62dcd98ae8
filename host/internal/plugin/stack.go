package plugin

import (
	"reflect"
	"sync"

	"github.com/tetratelabs/wazero/api"
)

// The engine runs a guest on a stack of its own, which is a slice of bytes of each exported function. It begins with 10 KiB,
// doubles where that is not enough, and never shrinks. The engine's only bound is 50 MB, after which it doubles once more;
// nothing of its API tells the size or sets the bound (wazero 1.12, internal/engine/wazevo, callEngine.growStack). So it is
// read by reflection, each time that the guest is back in the host: a call that is over its limit ends there, and an instance
// that keeps a large stack is replaced.
//
// Between two such looks a guest has one ration of fuel. Ordinary recursion takes some 10 MB at most with it; code that was
// made for it, whose frames are large and cheap, can reach the engine's own bound.

// stackBytes is how large the stack of a function is; 0 for one that runs on no stack of the engine.
func stackBytes(f api.Function) int64 {
	if f == nil {
		return 0
	}
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return 0
	}
	field, ok := stackField(v.Elem().Type())
	if !ok {
		return 0
	}
	return int64(v.Elem().FieldByIndex(field.Index).Len())
}

var stackFields sync.Map // reflect.StructField of the engine's types, as looking it up takes longer than the rest

func stackField(t reflect.Type) (reflect.StructField, bool) {
	if known, ok := stackFields.Load(t); ok {
		return known.(reflect.StructField), true
	}
	field, ok := t.FieldByName("stack")
	if !ok || field.Type != reflect.TypeFor[[]byte]() {
		return field, false
	}
	stackFields.Store(t, field)
	return field, true
}

// stackBytes is how much the stacks of all functions of the instance take together.
func (i *instance) stackBytes() int64 {
	var total int64
	for _, f := range i.functions {
		total += stackBytes(f)
	}
	return total
}

// checkStack ends the call if the guest that is in the host now has a larger stack than it may have.
func (i *instance) checkStack() {
	if stackBytes(i.running) > i.module.limits.StackBytes {
		panic(&stop{kind: FaultStack})
	}
}
