package examples_test

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

var update = flag.Bool("update", false, "write the walk in docs/abi.md")

const (
	walkFile  = repository + "/docs/abi.md"
	walkBegin = "<!-- The walk is written by go test ./plugins/examples -run TestTheWalk -update. -->\n\n"
	walkEnd   = "\n## Versions\n"
)

// What docs/abi.md shows of a call is what a host sees that has nothing but a runtime: here is all of it.
func TestTheWalkThroughACallIsWhatHappens(t *testing.T) {
	w := &walk{schema: schemaOf(t)}
	w.run(t, "c-policy", &abi.DialogEvent{
		Header: abi.Header{Sequence: 7, TaskID: "shop"}, DialogID: "d-1", Type: abi.DialogTypeConfirm, Message: "Delete it?",
	})
	text, err := os.ReadFile(walkFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), walkBegin)
	_, after, ended := strings.Cut(rest, walkEnd)
	if !found || !ended {
		t.Fatalf("%s has no place for the walk", walkFile)
	}
	want := before + walkBegin + w.out.String() + walkEnd + after
	if *update {
		if err := os.WriteFile(walkFile, []byte(want), 0o644); err != nil { //nolint:gosec // a document
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("the walk in docs/abi.md is another one; now it is\n%s", w.out.String())
	}
}

// walk is a host that writes down what it and the guest do.
type walk struct {
	schema protoreflect.FileDescriptor
	out    strings.Builder
	event  []byte
}

func (w *walk) line(format string, args ...any) { fmt.Fprintf(&w.out, format+"\n", args...) }

func (w *walk) run(t *testing.T, name string, event *abi.DialogEvent) {
	t.Helper()
	ctx := t.Context()
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	wasm, err := os.ReadFile(filepath.Join("dist", name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.imports(runtime).Instantiate(ctx); err != nil {
		t.Fatal(err)
	}
	guest, err := runtime.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithStartFunctions())
	if err != nil {
		t.Fatal(err)
	}
	call := func(export string, arguments ...uint64) {
		results, err := guest.ExportedFunction(export).Call(ctx, arguments...)
		if err != nil || len(results) != 1 || results[0] != 0 {
			t.Fatalf("%s gave %v (%v)", export, results, err)
		}
	}
	w.line("    host   calls hermes_init()")
	call(abi.ExportInit)
	w.line("    guest  returns 0: it is ready\n")
	w.event = event.Append(nil)
	w.line("    host   calls hermes_on_dialog(len=%d)", len(w.event))
	call(string(abi.HookDialog), uint64(len(w.event)))
	w.line("    guest  returns 0: it has decided")
}

// imports are the functions that the guest has of this host.
func (w *walk) imports(runtime wazero.Runtime) wazero.HostModuleBuilder {
	return runtime.NewHostModuleBuilder(abi.ImportModule).
		NewFunctionBuilder().WithFunc(func(_ context.Context, _ api.Module, _, limit uint32) int32 {
		w.line("    guest  calls config_read(buf, limit=%d)\n    host   returns 0: there is no configuration", limit)
		return 0
	}).Export(abi.ImportConfigRead).
		NewFunctionBuilder().WithFunc(func(_ context.Context, guest api.Module, buf, limit uint32) int32 {
		w.line("    guest  calls event_read(buf, limit=%d)\n    host   copies to buf, and returns %d:\n", limit, len(w.event))
		w.message("             ", w.event, "DialogEvent")
		w.line("")
		if !guest.Memory().Write(buf, w.event) {
			return int32(abi.CodeBadMemory)
		}
		return int32(len(w.event))
	}).Export(abi.ImportEventRead).
		NewFunctionBuilder().WithFunc(func(_ context.Context, guest api.Module, ptr, size uint32) int32 {
		verdict, ok := guest.Memory().Read(ptr, size)
		if !ok {
			return int32(abi.CodeBadMemory)
		}
		w.line("    guest  calls result_write(ptr, len=%d), with at ptr:\n", size)
		w.message("             ", verdict, "DialogVerdict")
		w.line("\n    host   copies it, and returns %d", size)
		return int32(size)
	}).Export(abi.ImportResultWrite).
		NewFunctionBuilder().WithFunc(func(_ context.Context, _ api.Module, _, size uint32) int32 {
		w.line("    guest  calls error_write(ptr, len=%d)", size)
		return int32(size)
	}).Export(abi.ImportErrorWrite)
}

// message writes the fields of a message, a line for each.
func (w *walk) message(indent string, bytes []byte, name string) {
	descriptor := w.schema.Messages().ByName(protoreflect.Name(name))
	for len(bytes) > 0 {
		tag, n := binary.Uvarint(bytes)
		field := descriptor.Fields().ByNumber(protoreflect.FieldNumber(tag >> 3))
		value, m := binary.Uvarint(bytes[n:])
		if tag&7 == 0 {
			meaning := fmt.Sprint(value)
			if field.Enum() != nil {
				meaning = string(field.Enum().Values().ByNumber(protoreflect.EnumNumber(value)).Name())
			}
			w.field(indent, bytes[:n+m], fmt.Sprintf("field %d, varint: %s is %s", tag>>3, field.Name(), meaning))
			bytes = bytes[n+m:]
			continue
		}
		head, content := bytes[:n+m], bytes[n+m:n+m+int(value)]
		bytes = bytes[n+m+int(value):]
		if inner := field.Message(); inner != nil {
			w.field(indent, head, fmt.Sprintf("field %d, %d bytes: %s, a %s", tag>>3, value, field.Name(), inner.Name()))
			w.message(indent+"  ", content, string(inner.Name()))
			continue
		}
		w.field(indent, head, fmt.Sprintf("field %d, %d bytes: %s", tag>>3, value, field.Name()))
		w.field(indent+"  ", content, fmt.Sprintf("%q", content))
	}
}

func (w *walk) field(indent string, bytes []byte, meaning string) {
	w.line("%s%-*s  %s", indent, 52-len(indent), fmt.Sprintf("% x", bytes), meaning)
}

func schemaOf(t *testing.T) protoreflect.FileDescriptor {
	t.Helper()
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{repository}}),
	}
	files, err := compiler.Compile(t.Context(), "abi/hermes.proto")
	if err != nil {
		t.Fatal(err)
	}
	return files[0]
}
