package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/schema"
)

// SourceBrowser is the source of the tools that this package has.
const SourceBrowser = "browser"

// spec is a tool of this package: what a model is told, and what runs.
type spec struct {
	Tool
	whole json.RawMessage // the schema of all its parameters, with bounds
	check *schema.Schema
	names []string // of its parameters
	in    bundle
	gate  func(gates) bool
	run   func(context.Context, *Browser, json.RawMessage) (any, error)
	// noBrowser is as in entry.
	noBrowser bool
}

// gates are what a tool may need to be there at all.
type gates struct {
	cdp      bool // the protocol can be reached
	evaluate bool // script of the agent's is allowed
}

// traits are what a server tells of a tool beside its schemas.
type traits struct {
	readOnly, destructive, openWorld bool
	in                               bundle
}

// define makes a tool of a method of [Browser]: the schemas are those of its parameters and of its result.
func define[P, R any](name, description string, t traits, method func(*Browser, context.Context, P) (R, error)) spec {
	s := spec{
		in: t.in,
		Tool: Tool{
			Name: name, Description: description, Source: SourceBrowser,
			Input: schemaOf(reflect.TypeFor[P](), false), Output: resultSchema(reflect.TypeFor[R]()),
			ReadOnly: t.readOnly, Destructive: t.destructive, OpenWorld: t.openWorld,
		},
	}
	check, err := schema.Compile(string(schemaOf(reflect.TypeFor[P](), true)))
	if err != nil {
		panic(fmt.Sprintf("the schema of %s: %v", name, err)) // it is of this package, and every test would meet it
	}
	s.check, s.whole = check, wholeSchemaOf(reflect.TypeFor[P]())
	for _, f := range fieldsOf(reflect.TypeFor[P](), true) {
		s.names = append(s.names, nameOf(f))
	}
	s.run = func(ctx context.Context, b *Browser, arguments json.RawMessage) (any, error) {
		var p P
		if err := s.decode(arguments, &p); err != nil {
			return nil, err
		}
		return method(b, ctx, p)
	}
	return s
}

// resultSchema is that of a result; any result for what is not known, as that of a resumed call.
func resultSchema(t reflect.Type) json.RawMessage {
	if t.Kind() != reflect.Struct {
		t = reflect.TypeFor[struct{}]()
	}
	return outputSchemaOf(t)
}

// behind makes a tool appear only where a gate is open.
func (s spec) behind(gate func(gates) bool) spec {
	s.gate = gate
	return s
}

// withoutBrowser makes a tool one for which no browser is started; its method must take a nil [Browser].
func (s spec) withoutBrowser() spec {
	s.noBrowser = true
	return s
}

// decode checks arguments against the strict schema, and reads them.
func (s spec) decode(arguments json.RawMessage, into any) error {
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = json.RawMessage("{}")
	}
	var object map[string]any
	if err := json.Unmarshal(arguments, &object); err != nil || object == nil {
		return badArgument("", "%s takes a JSON object; its parameters are %s", s.Name, s.known())
	}
	var wrong schema.Errors
	switch err := s.check.Check(object); {
	case errors.As(err, &wrong):
		return s.wrong(wrong)
	case err != nil:
		return badArgument("", "%v", err)
	}
	if err := json.Unmarshal(arguments, into); err != nil {
		return badArgument("", "%v", err) // such as an integer that is out of all bounds
	}
	return nil
}

// wrong words what the schema does not allow.
func (s spec) wrong(list schema.Errors) error {
	problem := list[0].Problem
	if len(list) > 1 {
		problem += "; " + list[1:].Error()
	}
	if strings.Contains(problem, "unknown ") || strings.Contains(problem, "missing ") {
		problem += "; the parameters of " + s.Name + " are " + s.known()
	}
	return badArgument(list[0].Place, "%s", problem)
}

func (s spec) known() string {
	if len(s.names) == 0 {
		return "none"
	}
	return strings.Join(s.names, ", ")
}

// texter is what says of a result what a model reads.
type texter interface{ Text() string }

// imager is what has pictures.
type imager interface{ images() []Image }

// succeeded makes the result of a call that did what was asked.
func succeeded(value any) (Result, error) {
	if r, ok := value.(Result); ok { // it was made already: by a plugin, a server or an embedder
		r.Text = fence(r.Text)
		return r, nil
	}
	object := map[string]any{}
	encoded, err := json.Marshal(value)
	if err != nil {
		return Result{}, fmt.Errorf("the result has no JSON: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber() // what pages count stays as they wrote it
	if err := decoder.Decode(&object); err != nil || object == nil {
		object = map[string]any{"result": json.RawMessage(encoded)}
	}
	r := Result{Structured: object, Text: textOf(value)}
	if s, ok := value.(interface{ succeeded() bool }); ok {
		r.IsError = !s.succeeded()
	}
	object["success"] = !r.IsError
	if i, ok := value.(imager); ok {
		r.Images = i.images()
	}
	return r, nil
}
