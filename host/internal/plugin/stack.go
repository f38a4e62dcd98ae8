package plugin

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/tetratelabs/wazero/api"
)

// The engine runs each exported function on a stack of its own, which is a slice of bytes. Compiled code knows the size
// of each of its frames. If a frame does not fit, control returns to the engine, which makes a slice of twice the size.
// Only a slice of more than 50 MB no longer grows, and the API offers no other limit (wazero 1.12,
// internal/engine/wazevo, callEngine.growStack).
//
// So all functions of an instance, of which only one runs at a time, get the same stack from here. It has as many bytes
// as the limit says, but a length that the engine does not grow. The engine uses the length for nothing else: the
// features that copy stacks, exceptions and snapshots, are off.

// fullStack is a length beyond which the engine does not grow a stack.
const fullStack = 50_000_001

// errStack is the error for an unknown version of the engine.
var errStack = errors.New("the stack of a guest cannot be limited with this version of wazero; build the host with 1.12")

// takeStack returns a stack for an instance. Allocating one takes longer than everything else in a small instance, so
// the stacks of closed instances are reused. They need no clearing: a guest cannot read what it has not written.
func (m *Module) takeStack() *[]byte {
	if used, ok := m.stacks.Get().(*[]byte); ok {
		return used
	}
	made := make([]byte, m.limits.StackBytes)
	return &made
}

// exported returns an exported function of the guest, which runs on the stack of the instance; nil if there is none.
func (i *instance) exported(name string) (api.Function, error) {
	f := i.guest.ExportedFunction(name)
	if f == nil || f.Definition().GoFunction() != nil { // a function of the host has no stack
		return f, nil
	}
	return f, setStack(f, *i.native)
}

// setStack makes a function that was never called run on a stack. Its original stack has room for its parameters and
// results, which nothing checks from then on.
func setStack(f api.Function, native []byte) error {
	engine := reflect.Indirect(reflect.ValueOf(f))
	stack, top := field[[]byte](engine, "stack"), field[uintptr](engine, "stackTop")
	if stack == nil || top == nil {
		return errStack
	}
	bottom := field[*byte](engine.FieldByName("execCtx"), "stackBottomPtr")
	if bottom == nil {
		return errStack
	}
	if len(native) < len(*stack) {
		return fmt.Errorf("a function takes %d bytes of stack to be called at all, the limit is %d; raise the plugin's limits.stack_kb",
			len(*stack), len(native))
	}
	*stack, *bottom = native, &native[0]
	*top = uintptr(unsafe.Pointer(&native[len(native)-1])) &^ 15 // compiled code requires alignment
	header := (*[3]uintptr)(unsafe.Pointer(stack))
	header[1] = max(header[1], fullStack)
	header[2] = header[1]
	return nil
}

// field returns the address of a struct field; nil if there is none or it has another type.
func field[T any](in reflect.Value, name string) *T {
	if in.Kind() != reflect.Struct {
		return nil
	}
	v := in.FieldByName(name)
	if !v.IsValid() || v.Type() != reflect.TypeFor[T]() {
		return nil
	}
	return (*T)(unsafe.Pointer(v.UnsafeAddr()))
}
