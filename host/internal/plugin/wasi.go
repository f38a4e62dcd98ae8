package plugin

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// instantiateWASI provides WASI preview 1 to the guests of a runtime and returns its functions. Some of them process
// lists in the guest's memory, so each call checks the clock and charges fuel for them first; the size of that memory
// bounds one call. Output is charged by the byte; see streamWriter.
func instantiateWASI(ctx context.Context, r wazero.Runtime) (map[string]api.FunctionDefinition, error) {
	look := experimental.FunctionListenerFunc(
		func(ctx context.Context, _ api.Module, f api.FunctionDefinition, params []uint64, _ experimental.StackIterator) {
			i := callingInstance(ctx)
			i.allowance.spend(wasiFuel(f.Name(), params, int(i.memory.Size())))
			i.allowance.check(FaultDeadline)
		})
	factory := experimental.FunctionListenerFactoryFunc(func(api.FunctionDefinition) experimental.FunctionListener { return look })
	wasi, err := wasi_snapshot_preview1.NewBuilder(r).Compile(experimental.WithFunctionListenerFactory(ctx, factory))
	if err != nil {
		return nil, err
	}
	_, err = r.InstantiateModule(ctx, wasi, wazero.NewModuleConfig())
	return wasi.ExportedFunctions(), err
}

// wasiFuel is the cost of a function, in addition to the call itself. A list that does not fit into the memory is
// rejected unread.
func wasiFuel(function string, params []uint64, memory int) int {
	switch function {
	case "fd_write", "fd_read", "fd_pwrite", "fd_pread":
		const bytes, fuel = 8, 100 // per element of the list
		return fuel * min(int(uint32(params[2])), memory/bytes)
	case "poll_oneoff":
		const bytes, fuel = 48, 1000
		return fuel * min(int(uint32(params[2])), memory/bytes)
	case "random_get":
		return min(int(uint32(params[1])), memory)
	}
	return 0
}
