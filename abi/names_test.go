package abi_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// TestEnumWordsFollowTheSchema derives each word from the name in hermes.proto: DIALOG_TYPE_BEFOREUNLOAD, beforeunload.
func TestEnumWordsFollowTheSchema(t *testing.T) {
	words := map[string]struct {
		name  func(int32) string
		parse func(string) (int32, bool)
	}{
		"DialogType": {
			func(n int32) string { return abi.DialogType(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseDialogType(s); return int32(v), ok },
		},
		"FrameKind": {
			func(n int32) string { return abi.FrameKind(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseFrameKind(s); return int32(v), ok },
		},
		"DialogAction": {
			func(n int32) string { return abi.DialogAction(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseDialogAction(s); return int32(v), ok },
		},
		"BridgeVia": {
			func(n int32) string { return abi.BridgeVia(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseBridgeVia(s); return int32(v), ok },
		},
		"BridgeSuppressed": {
			func(n int32) string { return abi.BridgeSuppressed(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseBridgeSuppressed(s); return int32(v), ok },
		},
		"NavigateAction": {
			func(n int32) string { return abi.NavigateAction(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseNavigateAction(s); return int32(v), ok },
		},
		"ToolAction": {
			func(n int32) string { return abi.ToolAction(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseToolAction(s); return int32(v), ok },
		},
		"ConsoleAction": {
			func(n int32) string { return abi.ConsoleAction(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseConsoleAction(s); return int32(v), ok },
		},
		"SnapshotAction": {
			func(n int32) string { return abi.SnapshotAction(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseSnapshotAction(s); return int32(v), ok },
		},
		"FileAction": {
			func(n int32) string { return abi.FileAction(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseFileAction(s); return int32(v), ok },
		},
		"RequestAction": {
			func(n int32) string { return abi.RequestAction(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseRequestAction(s); return int32(v), ok },
		},
		"ClosedBy": {
			func(n int32) string { return abi.ClosedBy(n).String() },
			func(s string) (int32, bool) { v, ok := abi.ParseClosedBy(s); return int32(v), ok },
		},
	}
	enums := schema(t)["hermes.v1.Header"].Descriptor().ParentFile().Enums()
	for i := range enums.Len() {
		enum := enums.Get(i)
		word, ok := words[string(enum.Name())]
		if !ok {
			t.Errorf("enum %s has no words", enum.Name())
			continue
		}
		checkEnum(t, enum, word.name, word.parse)
	}
}

func checkEnum(t *testing.T, enum protoreflect.EnumDescriptor, name func(int32) string, parse func(string) (int32, bool)) {
	prefix := commonPrefix(enum)
	for i := range enum.Values().Len() {
		value := enum.Values().Get(i)
		number, want := int32(value.Number()), strings.ToLower(strings.TrimPrefix(string(value.Name()), prefix))
		if got := name(number); got != want {
			t.Errorf("%s is called %q, want %q", value.Name(), got, want)
		}
		if got, ok := parse(want); ok != (number != 0) || got != number {
			t.Errorf("%q of %s parses to %d, %v", want, enum.Name(), got, ok)
		}
	}
	for _, n := range []int32{-1, int32(enum.Values().Len())} {
		if got := name(n); got != "unknown" {
			t.Errorf("%s %d is called %q", enum.Name(), n, got)
		}
	}
	if _, ok := parse("nonsense"); ok {
		t.Errorf("%s takes nonsense", enum.Name())
	}
}

// commonPrefix is DIALOG_TYPE_ of DIALOG_TYPE_UNSPECIFIED.
func commonPrefix(enum protoreflect.EnumDescriptor) string {
	return strings.TrimSuffix(string(enum.Values().Get(0).Name()), "UNSPECIFIED")
}

func TestWordsForStatusCodeLevelAndKind(t *testing.T) {
	cases := []struct{ got, want string }{
		{abi.StatusDecided.String(), "decided"}, {abi.StatusError.String(), "error"}, {abi.Status(9).String(), "unknown"},
		{abi.Code(17).String(), "ok"}, {abi.CodeNotFound.String(), "not found"},
		{abi.CodeInternal.String(), "internal error"}, {abi.CodeFailed.String(), "failed"}, {abi.CodeConflict.String(), "conflict"}, {abi.Code(-9).String(), "unknown"},
		{abi.Code(-1 << 31).String(), "unknown"},
		{abi.LogDebug.String(), "debug"}, {abi.LogError.String(), "error"}, {abi.LogLevel(4).String(), "unknown"},
		{abi.KindNull.String(), "null"}, {abi.KindList.String(), "array"}, {abi.Kind(200).String(), "unknown"},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
