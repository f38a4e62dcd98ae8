package abi_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/reflect/protoreflect"
)

var update = flag.Bool("update", false, "write docs/abi-reference.md")

const referenceFile = "../docs/abi-reference.md"

const referenceHead = `# Messages of the plugin ABI

Made from [abi/hermes.proto](../abi/hermes.proto) by ` + "`go test ./abi -run TestTheReference -update`" + `; [abi.md](abi.md) says
how they cross. In JSON (golden tables, events of ` + "`plugin run`" + `, journals) the keys are the names of the fields, and an enum is the
last word of its value in lower case: ` + "`DIALOG_ACTION_HOLD`" + ` is ` + "`\"hold\"`" + `.
`

// The reference has every message, field, enum and value, with the comments of the schema.
func TestTheReferenceIsThatOfTheSchema(t *testing.T) {
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(t.Context(), "hermes.proto")
	if err != nil {
		t.Fatal(err)
	}
	got := reference(files[0])
	if *update {
		if err := os.WriteFile(referenceFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(referenceFile)
	if err != nil || got != string(want) {
		t.Errorf("%s is out of date (%v); run the test with -update", referenceFile, err)
	}
}

// reference follows the order of the messages in the file; an enum comes before the first message that uses it.
func reference(file protoreflect.FileDescriptor) string {
	var out strings.Builder
	out.WriteString(referenceHead)
	written := make(map[protoreflect.FullName]bool)
	messages := file.Messages()
	for i := range messages.Len() {
		message := messages.Get(i)
		fields := message.Fields()
		for k := range fields.Len() {
			if enum := fields.Get(k).Enum(); enum != nil && !written[enum.FullName()] {
				written[enum.FullName()] = true
				writeEnum(&out, enum)
			}
		}
		writeMessage(&out, message)
	}
	return out.String()
}

func writeMessage(out *strings.Builder, message protoreflect.MessageDescriptor) {
	fmt.Fprintf(out, "\n## %s\n\n%s| field | number | type | |\n|---|---|---|---|\n", message.Name(), paragraph(message))
	fields := message.Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		fmt.Fprintf(out, "| `%s` | %d | %s | %s |\n", field.Name(), field.Number(), typeOf(field), comment(field))
	}
}

func writeEnum(out *strings.Builder, enum protoreflect.EnumDescriptor) {
	fmt.Fprintf(out, "\n## %s\n\n%s| value | number | |\n|---|---|---|\n", enum.Name(), paragraph(enum))
	values := enum.Values()
	for i := range values.Len() {
		value := values.Get(i)
		fmt.Fprintf(out, "| `%s` | %d | %s |\n", value.Name(), value.Number(), comment(value))
	}
}

func typeOf(field protoreflect.FieldDescriptor) string {
	name := field.Kind().String()
	switch {
	case field.Message() != nil && field.Message().ParentFile().Package() == "hermes.v1":
		name = link(field.Message())
	case field.Message() != nil:
		name = string(field.Message().FullName())
	case field.Enum() != nil:
		name = link(field.Enum())
	}
	switch {
	case field.IsList():
		return "repeated " + name
	case field.HasOptionalKeyword():
		return "optional " + name
	}
	return name
}

func link(d protoreflect.Descriptor) string {
	return fmt.Sprintf("[%s](#%s)", d.Name(), strings.ToLower(string(d.Name())))
}

// comment returns the comment of the schema on something, on one line.
func comment(d protoreflect.Descriptor) string {
	at := d.ParentFile().SourceLocations().ByDescriptor(d)
	text := strings.Join(strings.Fields(at.LeadingComments+" "+at.TrailingComments), " ")
	return strings.ReplaceAll(text, "|", `\|`)
}

func paragraph(d protoreflect.Descriptor) string {
	if text := comment(d); text != "" {
		return text + "\n\n"
	}
	return ""
}
