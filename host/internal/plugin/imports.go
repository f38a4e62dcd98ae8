package plugin

import (
	"context"
	"log/slog"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// The functions of hermes_v1. Each takes its arguments from the stack and leaves its result in stack[0]. The host
// copies what a pointer names during the call and never keeps the pointer. An exceeded quota or a bad pointer returns a
// negative code and never traps.

// instantiateHostModule provides hermes_v1 to the guests of a runtime, with stubs for optional functions that this host
// lacks.
func instantiateHostModule(ctx context.Context, r wazero.Runtime, optional map[string]wasmfile.FuncType) error {
	builder := r.NewHostModuleBuilder(abi.ImportModule)
	for i := range hostFunctions {
		f := &hostFunctions[i]
		call := f.call
		builder.NewFunctionBuilder().
			WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, _ api.Module, stack []uint64) {
				call(callingInstance(ctx), stack)
			}), f.sig.Params, f.sig.Results).
			Export(f.name)
	}
	for name, sig := range optional {
		if answersCode(sig) { // others are refused by the import check
			builder.NewFunctionBuilder().WithGoFunction(api.GoFunc(unsupported), sig.Params, sig.Results).Export(name)
		}
	}
	_, err := builder.Instantiate(ctx)
	return err
}

// textFuel is the cost of making a text safe to print. Text over the limit is cut off unread.
func (i *instance) textFuel(text []byte) int { return 8 * min(len(text), i.module.limits.LogLineBytes) }

func code(c abi.Code) uint64 { return api.EncodeI32(int32(c)) }

func (i *instance) features(stack []uint64) { stack[0] = servedFeatures }

// eventRead is event_read(buf, limit): the length of the event, which is copied if it fits.
func (i *instance) eventRead(stack []uint64) {
	if !i.inHook {
		stack[0] = code(abi.CodeNotFound)
		return
	}
	stack[0] = i.copyOut(i.event, uint32(stack[0]), uint32(stack[1]))
}

// configRead is config_read(buf, limit): the length of the configuration, which is copied if it fits.
func (i *instance) configRead(stack []uint64) {
	stack[0] = i.copyOut(i.module.config, uint32(stack[0]), uint32(stack[1]))
}

func (i *instance) copyOut(data []byte, buf, limit uint32) uint64 {
	if uint64(len(data)) <= uint64(limit) {
		i.allowance.spend(len(data))
		if !i.memory.Write(buf, data) {
			return code(abi.CodeBadMemory)
		}
	}
	return uint64(len(data))
}

// resultWrite is result_write(ptr, len): the length. The last successful call during a hook counts.
func (i *instance) resultWrite(stack []uint64) {
	ptr, size := uint32(stack[0]), uint32(stack[1])
	stack[0] = uint64(size)
	if !i.inHook {
		stack[0] = code(abi.CodeDenied)
		return
	}
	if int64(size) > int64(i.resultLimit) {
		i.resultRefused = FaultOversize
		stack[0] = code(abi.CodeTooLarge)
		return
	}
	data, ok := i.memory.Read(ptr, size)
	if !ok {
		i.resultRefused = FaultBadMemory
		stack[0] = code(abi.CodeBadMemory)
		return
	}
	i.allowance.spend(len(data))
	i.result = append(i.result[:0], data...)
	i.hasResult = true
}

// errorWrite is error_write(ptr, len): the length. The reason is cut to the length of a log line.
func (i *instance) errorWrite(stack []uint64) {
	data, ok := i.memory.Read(uint32(stack[0]), uint32(stack[1]))
	if !ok {
		stack[0] = code(abi.CodeBadMemory)
		return
	}
	stack[0] = uint64(uint32(stack[1]))
	i.allowance.spend(i.textFuel(data))
	i.reason = sanitize(data, i.module.limits.LogLineBytes)
}

// logLine is log(level, ptr, len): the length, also of a line that was dropped.
func (i *instance) logLine(stack []uint64) {
	data, ok := i.memory.Read(uint32(stack[1]), uint32(stack[2]))
	if !ok {
		stack[0] = code(abi.CodeBadMemory)
		return
	}
	level := slogLevel(abi.LogLevel(int32(stack[0])))
	stack[0] = uint64(uint32(stack[2]))
	i.allowance.spend(i.textFuel(data))
	i.module.log.line(level, "", data)
}

// logEnabled is log_enabled(level): 1 or 0.
func (i *instance) logEnabled(stack []uint64) {
	enabled := i.module.log.enabled(slogLevel(abi.LogLevel(int32(stack[0]))))
	stack[0] = 0
	if enabled {
		stack[0] = 1
	}
}

func slogLevel(l abi.LogLevel) slog.Level {
	switch {
	case l <= abi.LogDebug:
		return slog.LevelDebug
	case l == abi.LogInfo:
		return slog.LevelInfo
	case l == abi.LogWarn:
		return slog.LevelWarn
	}
	return slog.LevelError
}
