package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/toolschema"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schema"
)

// SourceBrowser is the source of this package's tools.
const SourceBrowser = "browser"

// spec is a tool of this package: its description and its function.
type spec struct {
	entry
	whole json.RawMessage // the schema with all parameters and bounds
	check *schema.Schema
	names []string // of all parameters
	in    bundle
}

// gates are the conditions for a tool to be offered.
type gates struct {
	cdp      bool // CDP can be used
	evaluate bool // the agent may run script
}

// traits are what a server announces about a tool besides its schemas.
type traits struct {
	readOnly, destructive, openWorld bool
	in                               bundle
}

// define makes a tool from a method of [Browser]. The schemas come from the types of its parameters and result.
func define[P, R any](name, description string, t traits, method func(*Browser, context.Context, P) (R, error)) spec {
	s := spec{
		in: t.in,
		entry: entry{Tool: Tool{
			Name: name, Description: description, Source: SourceBrowser,
			Input: toolschema.Of(reflect.TypeFor[P](), false), Output: resultSchema(reflect.TypeFor[R]()),
			ReadOnly: t.readOnly, Destructive: t.destructive, OpenWorld: t.openWorld,
		}},
	}
	check, err := schema.Compile(string(toolschema.Of(reflect.TypeFor[P](), true)))
	if err != nil {
		panic(fmt.Sprintf("the schema of %s: %v", name, err)) // a bug in this package, which every test would find
	}
	s.check, s.whole = check, toolschema.Whole(reflect.TypeFor[P]())
	for _, f := range toolschema.Fields(reflect.TypeFor[P](), true) {
		s.names = append(s.names, toolschema.Name(f))
	}
	s.run = func(ctx context.Context, b *Browser, arguments json.RawMessage) (any, error) {
		var p P
		if err := s.decode(arguments, &p); err != nil {
			return nil, err
		}
		b.Prepare(p)
		return method(b, ctx, p)
	}
	return s
}

// resultSchema returns the schema of a result. If the type is not known, as for a resumed call, it allows any result.
func resultSchema(t reflect.Type) json.RawMessage {
	if t.Kind() != reflect.Struct {
		t = reflect.TypeFor[struct{}]()
	}
	return toolschema.Output(t)
}

// behind makes a tool appear only if a gate is open.
func (s spec) behind(gate func(gates) bool) spec {
	s.gate = gate
	return s
}

// withoutBrowser makes a tool for which no browser is started; its method must accept a nil [Browser].
func (s spec) withoutBrowser() spec {
	s.noBrowser = true
	return s
}

// decode checks arguments against the strict schema and decodes them.
func (s spec) decode(arguments json.RawMessage, into any) error {
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = json.RawMessage("{}")
	}
	var object map[string]any
	if err := json.Unmarshal(arguments, &object); err != nil || object == nil {
		return result.BadArgument("", "%s takes a JSON object; its parameters are %s", s.Name, s.known())
	}
	var wrong schema.Errors
	switch err := s.check.Check(object); {
	case errors.As(err, &wrong):
		return s.wrong(wrong)
	case err != nil:
		return result.BadArgument("", "%v", err)
	}
	if err := json.Unmarshal(arguments, into); err != nil {
		return result.BadArgument("", "%v", err) // such as an integer that overflows
	}
	return nil
}

// wrong describes what the schema does not allow.
func (s spec) wrong(list schema.Errors) error {
	problem := list[0].Problem
	if len(list) > 1 {
		problem += "; " + list[1:].Error()
	}
	if strings.Contains(problem, "unknown ") || strings.Contains(problem, "missing ") {
		problem += "; the parameters of " + s.Name + " are " + s.known()
	}
	return result.BadArgument(list[0].Place, "%s", problem)
}

func (s spec) known() string {
	if len(s.names) == 0 {
		return "none"
	}
	return strings.Join(s.names, ", ")
}
