package plugin

import (
	"slices"

	"github.com/tetratelabs/wazero/api"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// wasiModule is a module that every guest may import from. Go and TinyGo need it to start.
const wasiModule = "wasi_snapshot_preview1"

// reactorStart is the export that initialises a WASI reactor.
const reactorStart = "_initialize"

// hooks lists the hooks. An instance keeps its functions in the same order.
var hooks = abi.Hooks()

func hookIndex(h abi.Hook) int { return slices.Index(hooks, h) }

// WantsVerdict reports whether a decided call of the hook must have written a result.
func WantsVerdict(h abi.Hook) bool { return h != abi.HookDialogClosed && hookIndex(h) >= 0 }

// hostFunction is one import of the module hermes_v1.
type hostFunction struct {
	name  string
	sig   wasmfile.FuncType
	call  func(*instance, []uint64) // arguments in; the result goes into the first element
	needs abi.Capability            // without it, each call answers [abi.CodeDenied]; empty: none
}

func signature(params int, results ...api.ValueType) wasmfile.FuncType {
	sig := wasmfile.FuncType{Results: results}
	for range params {
		sig.Params = append(sig.Params, wasmfile.I32)
	}
	return sig
}

// withTTL adds a last parameter, a time to live.
func withTTL(sig wasmfile.FuncType) wasmfile.FuncType {
	sig.Params = append(sig.Params, wasmfile.I64)
	return sig
}

// hostFunctions is everything that a guest may import from hermes_v1.
var hostFunctions = []hostFunction{
	{abi.ImportFeatures, signature(0, wasmfile.I64), (*instance).features, ""},
	{abi.ImportEventRead, signature(2, wasmfile.I32), (*instance).eventRead, ""},
	{abi.ImportResultWrite, signature(2, wasmfile.I32), (*instance).resultWrite, ""},
	{abi.ImportErrorWrite, signature(2, wasmfile.I32), (*instance).errorWrite, ""},
	{abi.ImportConfigRead, signature(2, wasmfile.I32), (*instance).configRead, ""},
	{abi.ImportLog, signature(3, wasmfile.I32), (*instance).logLine, ""},
	{abi.ImportLogEnabled, signature(1, wasmfile.I32), (*instance).logEnabled, ""},
	{abi.ImportStateGet, signature(4, wasmfile.I32), (*instance).stateGet, abi.CapabilityState},
	{abi.ImportKVGet, signature(4, wasmfile.I32), (*instance).kvGet, abi.CapabilityKV},
	{abi.ImportKVSet, signature(4, wasmfile.I32), (*instance).kvSet, abi.CapabilityKV},
	{abi.ImportKVDelete, signature(2, wasmfile.I32), (*instance).kvDelete, abi.CapabilityKV},
	{abi.ImportKVList, signature(4, wasmfile.I32), (*instance).kvList, abi.CapabilityKV},
	{abi.ImportKVSetTTL, withTTL(signature(4, wasmfile.I32)), (*instance).kvSetTTL, abi.CapabilityKV},
	{abi.ImportKVCompareAndSet, withTTL(signature(6, wasmfile.I32)), (*instance).kvCompareAndSet, abi.CapabilityKV},
	{abi.ImportAnswerRead, signature(2, wasmfile.I32), (*instance).answerRead, ""},
}

// servedFeatures is the answer of the features import: the optional functions that this host has, granted or not.
const servedFeatures = abi.FeatureKV | abi.FeatureState | abi.FeatureEmbedder | abi.FeatureKVWrites

func hostFunctionNames() []string {
	names := make([]string, len(hostFunctions))
	for i := range hostFunctions {
		names[i] = hostFunctions[i].name
	}
	return names
}

func findHostFunction(name string) *hostFunction {
	if i := slices.Index(hostFunctionNames(), name); i >= 0 {
		return &hostFunctions[i]
	}
	return nil
}
