package plugin

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// unbound is a guest on a bare engine: with the host's functions, and without limits, pool and rewriting.
type unbound struct {
	*instance
	guest api.Module
	given int64 // fuel, of a metered module
}

// newUnbound starts a module, metered or not, on an engine of that configuration.
func newUnbound(t testing.TB, config wazero.RuntimeConfig, wasm []byte) *unbound {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, config.WithCoreFeatures(wasmfile.Features).WithDebugInfoEnabled(false))
	t.Cleanup(func() { _ = r.Close(ctx) })
	u := &unbound{instance: &instance{module: &Module{limits: Limits{}.WithDefaults(), log: &guestLog{logger: slog.New(slog.DiscardHandler)}}}}
	u.ctx = context.WithValue(ctx, instanceKey{}, u.instance)
	u.allowance.begin(ctx, time.Now(), time.Hour, noLimit)
	refuel := func(_ context.Context, guest api.Module, _ []uint64) {
		const plenty = 1 << 40
		guest.ExportedGlobal(wasmfile.FuelExport).(api.MutableGlobal).Set(plenty)
		u.given += plenty
	}
	_, err := r.NewHostModuleBuilder(wasmfile.RefuelModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(refuel), nil, nil).Export(wasmfile.RefuelImport).Instantiate(ctx)
	if err == nil {
		_, err = instantiateWASI(ctx, r)
	}
	if err == nil {
		err = instantiateHostModule(ctx, r, nil)
	}
	if err == nil {
		u.guest, err = r.InstantiateWithConfig(u.ctx, wasm, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	}
	if err != nil {
		t.Fatal(err)
	}
	u.memory = u.guest.Memory()
	for _, start := range []string{wasmfile.StartExport, reactorStart, abi.ExportInit} {
		if f := u.guest.ExportedFunction(start); f != nil {
			if _, err := f.Call(u.ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	u.inHook, u.resultLimit = true, abi.DefaultResultBytes
	return u
}

// call runs a hook as the pool would, and returns its status; the result and the reason are the instance's.
func (u *unbound) call(f api.Function, event []byte) (abi.Status, error) {
	u.event, u.result, u.reason = event, u.result[:0], ""
	u.stack[0] = uint64(len(event))
	err := f.CallWithStack(u.ctx, u.stack[:])
	return abi.Status(api.DecodeI32(u.stack[0])), err
}

// fuel returns what the guest has used, but for a constant; 0 if it is not metered.
func (u *unbound) fuel() int64 {
	if left := u.guest.ExportedGlobal(wasmfile.FuelExport); left != nil {
		return u.given - int64(left.Get())
	}
	return 0
}

func metered(t testing.TB, wasm []byte) []byte {
	t.Helper()
	file, err := wasmfile.Parse(wasm)
	if err != nil {
		t.Fatal(err)
	}
	out, err := file.Metered(maxTableElements)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
