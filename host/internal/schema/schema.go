// Package schema checks the values of operators and agents against the JSON Schemas of plugins
// (https://json-schema.org/draft/2020-12). Its errors name the place, the value and what is allowed, but never show a
// value whose name says that it is a secret.
package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// Schema is a compiled schema. It may be used by any number of goroutines.
type Schema struct{ compiled *jsonschema.Schema }

// errRemote rejects references to anything outside the schema: a plugin must not make the host open files or URLs.
var errRemote = errors.New("a reference that leads out of the schema is not followed; write it under $defs")

type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errRemote }

// self is the URL of the schema itself, against which references in it are resolved. Nothing is loaded from it.
const self = "schema:plugin"

// NoArguments is the schema of the arguments of a tool that declares none.
const NoArguments = `{"type":"object"}`

// Compile parses a schema. An empty text allows everything.
func Compile(text string) (*Schema, error) {
	if text == "" {
		text = "true"
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("the JSON Schema is not JSON: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource(self, document); err != nil {
		return nil, fmt.Errorf("the JSON Schema: %w", err)
	}
	compiled, err := compiler.Compile(self)
	if err != nil {
		return nil, fmt.Errorf("the JSON Schema is not valid: %s", reason(err))
	}
	return &Schema{compiled}, nil
}

// reason says what is wrong with a schema itself.
func reason(err error) string {
	var invalid *jsonschema.SchemaValidationError
	if errors.As(err, &invalid) {
		if failed := (*jsonschema.ValidationError)(nil); errors.As(invalid.Err, &failed) {
			return problems(failed, nil).Error()
		}
	}
	if errors.Is(err, errRemote) {
		return errRemote.Error()
	}
	return strings.ReplaceAll(err.Error(), "\n", " ")
}

// Check validates a value against the schema. The error is an [Errors].
func (s *Schema) Check(value any) error {
	// The library knows only the types of encoding/json; configurations from YAML have ints and other maps.
	plain, err := normalise(value)
	if err != nil {
		return Errors{{Problem: err.Error()}}
	}
	err = s.compiled.Validate(plain)
	if err == nil {
		return nil
	}
	var failed *jsonschema.ValidationError
	if !errors.As(err, &failed) {
		return Errors{{Problem: err.Error()}}
	}
	return problems(failed, plain)
}

// Error is one thing that the schema does not allow.
type Error struct {
	Place   string // such as rules[2].verdict; empty for the whole value
	Problem string
}

// Errors is everything that is wrong with a value, sorted by place.
type Errors []Error

// Error names each place with its problem.
func (e Errors) Error() string {
	texts := make([]string, len(e))
	for i, one := range e {
		texts[i] = one.Problem
		if one.Place != "" {
			texts[i] = one.Place + ": " + one.Problem
		}
	}
	return strings.Join(texts, "; ")
}

// problems collects the leaves of a validation error: the nodes above them only say that something below is wrong.
func problems(root *jsonschema.ValidationError, value any) Errors {
	var list Errors
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) > 0 && !alternatives(e.ErrorKind) {
			for _, cause := range e.Causes {
				walk(cause)
			}
			return
		}
		one := Error{Place: place(e.InstanceLocation), Problem: explain(e, at(value, e.InstanceLocation))}
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	walk(root)
	slices.SortStableFunc(list, func(a, b Error) int { return strings.Compare(a.Place, b.Place) })
	return list
}

// alternatives reports whether the causes of an error are not problems of their own, because one of several schemas
// would have been enough.
func alternatives(k jsonschema.ErrorKind) bool {
	switch k.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Not, *kind.Contains:
		return true
	}
	return false
}

func explain(e *jsonschema.ValidationError, value any) string {
	hidden := slices.ContainsFunc(e.InstanceLocation, secret.Name)
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		return "unknown " + quoted(k.Properties)
	case *kind.Required:
		return "missing " + quoted(k.Missing)
	case *kind.Enum:
		return shown(value, hidden) + " is not possible; want " + words(k.Want)
	case *kind.Const:
		return shown(value, hidden) + " is not possible; want " + words([]any{k.Want})
	case *kind.Type:
		return shown(value, hidden) + " is a " + k.Got + "; want " + strings.Join(k.Want, " or ")
	case *kind.Minimum:
		return shown(value, hidden) + " is too small; want at least " + number(k.Want)
	case *kind.Maximum:
		return shown(value, hidden) + " is too large; want at most " + number(k.Want)
	case *kind.ExclusiveMinimum:
		return shown(value, hidden) + " is too small; want more than " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return shown(value, hidden) + " is too large; want less than " + number(k.Want)
	case *kind.Pattern:
		return shown(value, hidden) + " does not have the form " + k.Want
	case *kind.Format:
		return shown(value, hidden) + " is not of the form " + k.Want
	case *kind.AnyOf, *kind.OneOf:
		return shown(value, hidden) + " fits none of the forms that are allowed, or more than one"
	}
	if hidden {
		return "is not allowed by the schema"
	}
	return e.ErrorKind.LocalizedString(english)
}
