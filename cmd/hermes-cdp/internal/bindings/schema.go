package bindings

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/reflect/protoreflect"

	hermescdp "github.com/hermes-cdp/hermes-cdp"
	"github.com/hermes-cdp/hermes-cdp/abi"
)

// schemaPath is where the sources that the command carries have the schema.
const schemaPath = "abi/hermes.proto"

// Schema is the text of hermes.proto.
func Schema() []byte {
	text, err := hermescdp.Guest.ReadFile(schemaPath)
	if err != nil {
		panic(err) // it is embedded
	}
	return text
}

// schema is what guests need of hermes.proto.
type schema struct {
	enums    []enum
	messages []message // those that others contain first
	hooks    []hook
}

type enum struct {
	name    string
	comment []string
	values  []value
}

// value is a value of an enum. Its word has no prefix: ALERT for DIALOG_TYPE_ALERT.
type value struct {
	name, word string
	number     int32
}

type message struct {
	name           string
	comment        []string
	fields         []field
	event, verdict bool // which way it crosses, itself or in another message
}

type field struct {
	name     string
	number   int32
	kind     kind
	of       string // the name of the enum or message
	list     bool
	optional bool
}

// kind is how a field is read and written.
type kind int

const (
	text kind = iota
	bytes
	flag
	number // without a sign; wide is for 64 bits
	wide
	signed
	choice // an enum
	nested // a message
	object // google.protobuf.Struct
)

// hook is an export with its messages; verdict is empty where there is none.
type hook struct {
	export         abi.Hook
	event, verdict string
}

// read reads the schema, in the order of the file.
func read(ctx context.Context) (schema, error) {
	resolver := protocompile.WithStandardImports(&protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(map[string]string{schemaPath: string(Schema())}),
	})
	compiler := protocompile.Compiler{Resolver: resolver, SourceInfoMode: protocompile.SourceInfoStandard}
	files, err := compiler.Compile(ctx, schemaPath)
	if err != nil {
		return schema{}, err
	}
	file := files[0]
	var s schema
	for i := range file.Enums().Len() {
		s.enums = append(s.enums, enumOf(file, file.Enums().Get(i)))
	}
	used := map[protoreflect.Name]way{"KeyList": {event: true}}
	for _, export := range abi.Hooks() {
		h := hook{export: export}
		event, verdict := abi.NewMessages(export)
		h.event = nameOf(event)
		mark(file.Messages().ByName(protoreflect.Name(h.event)), way{event: true}, used)
		if verdict != nil {
			h.verdict = nameOf(verdict)
			mark(file.Messages().ByName(protoreflect.Name(h.verdict)), way{verdict: true}, used)
		}
		s.hooks = append(s.hooks, h)
	}
	for i := range file.Messages().Len() {
		descriptor := file.Messages().Get(i)
		ways, needed := used[descriptor.Name()]
		if !needed {
			continue
		}
		m, err := messageOf(file, descriptor)
		if err != nil {
			return schema{}, err
		}
		m.event, m.verdict = ways.event, ways.verdict
		s.messages = append(s.messages, m)
	}
	slices.SortStableFunc(s.messages, func(a, b message) int { return b.isPart() - a.isPart() })
	return s, nil
}

// isPart is 1 for a message that others contain.
func (m message) isPart() int {
	switch m.name {
	case "Header", "Frame", "HTTPHeader", "KeyList":
		return 1
	}
	return 0
}

func nameOf(m abi.Message) string { return reflect.TypeOf(m).Elem().Name() }

type way struct{ event, verdict bool }

// mark adds a message and those in it.
func mark(m protoreflect.MessageDescriptor, w way, used map[protoreflect.Name]way) {
	before := used[m.Name()]
	used[m.Name()] = way{before.event || w.event, before.verdict || w.verdict}
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		if inner := f.Message(); inner != nil && inner.FullName() != structName {
			mark(inner, w, used)
		}
	}
}

const structName = "google.protobuf.Struct"

func enumOf(file protoreflect.FileDescriptor, d protoreflect.EnumDescriptor) enum {
	e := enum{name: string(d.Name()), comment: comment(file, d)}
	prefix := ""
	for i := range d.Values().Len() {
		name := string(d.Values().Get(i).Name())
		if i == 0 {
			prefix = strings.TrimSuffix(name, "UNSPECIFIED")
		}
		e.values = append(e.values, value{name, strings.TrimPrefix(name, prefix), int32(d.Values().Get(i).Number())})
	}
	return e
}

func messageOf(file protoreflect.FileDescriptor, d protoreflect.MessageDescriptor) (message, error) {
	m := message{name: string(d.Name()), comment: comment(file, d)}
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		out := field{name: string(f.Name()), number: int32(f.Number()), list: f.IsList(), optional: f.HasOptionalKeyword()}
		switch f.Kind() {
		case protoreflect.StringKind:
			out.kind = text
		case protoreflect.BytesKind:
			out.kind = bytes
		case protoreflect.BoolKind:
			out.kind = flag
		case protoreflect.Uint32Kind:
			out.kind = number
		case protoreflect.Uint64Kind:
			out.kind = wide
		case protoreflect.Int64Kind:
			out.kind = signed
		case protoreflect.EnumKind:
			out.kind, out.of = choice, string(f.Enum().Name())
		case protoreflect.MessageKind:
			out.kind, out.of = nested, string(f.Message().Name())
			if f.Message().FullName() == structName {
				out.kind, out.of = object, ""
			}
		default:
			return m, fmt.Errorf("%s.%s: no guest reads a field of the kind %s", m.name, out.name, f.Kind())
		}
		m.fields = append(m.fields, out)
	}
	return m, nil
}

// comment is what the schema says in front of a message or enum, in lines.
func comment(file protoreflect.FileDescriptor, d protoreflect.Descriptor) []string {
	text := strings.TrimSpace(file.SourceLocations().ByDescriptor(d).LeadingComments)
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// snake is a name in small letters with underscores: dialog_event, http_header.
func snake(name string) string {
	var out strings.Builder
	for i, r := range name {
		upper := r >= 'A' && r <= 'Z'
		if upper && i > 0 {
			before := name[i-1]
			after := i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z'
			if before >= 'a' && before <= 'z' || after {
				out.WriteByte('_')
			}
		}
		out.WriteRune(r)
	}
	return strings.ToLower(out.String())
}

// camel is a name of the schema as AssemblyScript and Zig have it: timeoutMs.
func camel(name string) string {
	parts := strings.Split(name, "_")
	for i := range parts[1:] {
		parts[i+1] = title(parts[i+1])
	}
	return strings.Join(parts, "")
}

// title is a word with a large letter in front.
func title(word string) string {
	word = strings.ToLower(word)
	return strings.ToUpper(word[:1]) + word[1:]
}

// titled is a word of an enum as a name: AutoPolicy for AUTO_POLICY.
func titled(word string) string {
	out := ""
	for part := range strings.SplitSeq(word, "_") {
		out += title(part)
	}
	return out
}
