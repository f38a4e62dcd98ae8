package plugin

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/tetratelabs/wazero/api"
)

// The engine runs each exported function on a stack of its own, a slice of bytes. Compiled code knows how much each of its
// frames takes: where that is not left above the lower end of the stack, it comes back to the engine, which makes a slice
// twice as long. Only a slice of more than 50 MB does not grow any more, and the API sets no other bound (wazero 1.12,
// internal/engine/wazevo, callEngine.growStack).
//
// So the functions of an instance, one of which runs at a time, all get the same stack from here. It has as many bytes as
// the limit says, and a length that the engine does not let grow. The engine uses the length for nothing else; what
// copies stacks, exceptions and snapshots, is not on.

// fullStack is a length with which the engine lets no stack grow.
const fullStack = 50_000_001

// errStack is for a version of the engine that this does not know.
var errStack = errors.New("the stack of a guest cannot be limited with this version of wazero; build the host with 1.12")

// takeStack returns a stack for an instance. To make one takes longer than to make all else of a small instance, so those of
// closed instances are used again. They need no cleaning: a guest cannot read what it has not written.
func (m *Module) takeStack() *[]byte {
	if used, ok := m.stacks.Get().(*[]byte); ok {
		return used
	}
	made := make([]byte, m.limits.StackBytes)
	return &made
}

// exported returns an exported function of the guest, which runs on the instance's stack; nil if there is none.
func (i *instance) exported(name string) (api.Function, error) {
	f := i.guest.ExportedFunction(name)
	if f == nil || f.Definition().GoFunction() != nil { // one of the host has no stack
		return f, nil
	}
	return f, setStack(f, *i.native)
}

// setStack makes a function, which was never called, run on a stack. Its own one has room for its parameters and results,
// which nothing checks any more.
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
	*top = uintptr(unsafe.Pointer(&native[len(native)-1])) &^ 15 // compiled code wants it aligned
	header := (*[3]uintptr)(unsafe.Pointer(stack))
	header[1] = max(header[1], fullStack)
	header[2] = header[1]
	return nil
}

// field returns where a struct keeps something, and nil if it is not there or of another type.
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
