//go:build !(tinygo.wasm || wasip1)

package main

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/plugins"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// TestTheBuiltModuleDecidesAsTheSourcesDo sends the same trees and task settings to both.
func TestTheBuiltModuleDecidesAsTheSourcesDo(t *testing.T) {
	wasm, _ := plugins.Module(plugins.FrameFilter)
	built, err := plugintest.Wasm(wasm, module.Options{})(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer built.Close()
	native, err := sdktest.Native(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		event := abi.FramesEvent{Frames: trees().Draw(rt, "tree")}
		event.Header.TaskConfig = drawSettings(rt).object()
		src := event.Append(nil)
		want, err := native.Call(t.Context(), abi.HookFrames, src)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := built.Call(t.Context(), abi.HookFrames, src)
		if err != nil {
			rt.Fatal(err)
		}
		if got.Status != want.Status || got.Reason != want.Reason || string(got.Verdict) != string(want.Verdict) {
			rt.Fatalf("the module says %+v, its sources say %+v", got, want)
		}
	})
}

// object is the configuration that reads as these settings.
func (s settings) object() abi.Struct {
	var object abi.Struct
	if s.maxChildren >= 0 {
		object = append(object, abi.Field{Key: "max_children", Value: abi.NumberValue(float64(s.maxChildren))})
	}
	if s.maxOOPIFDepth >= 0 {
		object = append(object, abi.Field{Key: "max_oopif_depth", Value: abi.NumberValue(float64(s.maxOOPIFDepth))})
	}
	var rules []abi.Value
	for _, r := range s.rules {
		word := "drop"
		if r.action == actionKeep {
			word = "keep"
		}
		rules = append(rules, abi.StructValue(abi.Struct{
			{Key: "action", Value: abi.StringValue(word)}, {Key: "origin", Value: abi.StringValue(r.origin)},
		}))
	}
	return append(object, abi.Field{Key: "rules", Value: abi.ListValue(rules...)})
}
