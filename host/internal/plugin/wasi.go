package plugin

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// instantiateWASI offers WASI preview 1 to the guests of a runtime and returns its functions. Some of them work through
// lists in the guest's memory, so each call looks at the clock first; one call is bounded by the size of that memory.
func instantiateWASI(ctx context.Context, r wazero.Runtime) (map[string]api.FunctionDefinition, error) {
	look := experimental.FunctionListenerFunc(
		func(ctx context.Context, _ api.Module, _ api.FunctionDefinition, _ []uint64, _ experimental.StackIterator) {
			callingInstance(ctx).allowance.check()
		})
	factory := experimental.FunctionListenerFactoryFunc(func(api.FunctionDefinition) experimental.FunctionListener { return look })
	wasi, err := wasi_snapshot_preview1.NewBuilder(r).Compile(experimental.WithFunctionListenerFactory(ctx, factory))
	if err != nil {
		return nil, err
	}
	_, err = r.InstantiateModule(ctx, wasi, wazero.NewModuleConfig())
	return wasi.ExportedFunctions(), err
}
