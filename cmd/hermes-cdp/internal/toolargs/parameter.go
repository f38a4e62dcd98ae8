// Package toolargs reads the arguments of a tool from a command line, as the schema of the tool wants them.
package toolargs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Parameter is a parameter of a tool as its schema has it.
type Parameter struct {
	Name string
	// Kind is string, boolean, integer, number, array or object; empty: anything.
	Kind string
	// Allowed are the texts that are allowed; empty: any.
	Allowed []string
	// Doc is what the schema says of it.
	Doc string

	items    string // the kind of the members of an array
	required bool
	min, max *float64
}

// Values are all that it can be; nil where they are too many.
func (p Parameter) Values() []string {
	if p.Kind == "boolean" {
		return []string{"true", "false"}
	}
	return p.Allowed
}

// Parameters reads a schema of type object; the parameters are in its order.
func Parameters(schema json.RawMessage) ([]Parameter, error) {
	if len(schema) == 0 {
		return nil, nil
	}
	var object struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if err := json.Unmarshal(schema, &object); err != nil {
		return nil, fmt.Errorf("the schema of the tool is not understood: %w", err)
	}
	var list []Parameter
	err := eachMember(object.Properties, func(name string, value json.RawMessage) {
		p := parameterOf(value)
		p.Name, p.required = name, slices.Contains(object.Required, name)
		list = append(list, p)
	})
	return list, err
}

// eachMember goes through the members of a JSON object in its order.
func eachMember(object json.RawMessage, each func(name string, value json.RawMessage)) error {
	if len(object) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return fmt.Errorf("the schema of the tool is not understood: %w", err)
	}
	for decoder.More() {
		name, err := decoder.Token()
		var value json.RawMessage
		if err == nil {
			err = decoder.Decode(&value)
		}
		if err != nil {
			return fmt.Errorf("the schema of the tool is not understood: %w", err)
		}
		each(fmt.Sprint(name), value)
	}
	return nil
}

// parameterOf reads the schema of one parameter. What it does not know, such as anyOf, is left to the tool.
func parameterOf(schema json.RawMessage) Parameter {
	var is struct {
		Type        json.RawMessage `json:"type"`
		Items       json.RawMessage `json:"items"`
		Enum        []any           `json:"enum"`
		Description string          `json:"description"`
		Minimum     *float64        `json:"minimum"`
		Maximum     *float64        `json:"maximum"`
	}
	if json.Unmarshal(schema, &is) != nil { // true is a schema, too
		return Parameter{}
	}
	p := Parameter{Kind: kindOf(is.Type), Doc: is.Description, min: is.Minimum, max: is.Maximum}
	for _, v := range is.Enum {
		text, ok := v.(string)
		if !ok {
			p.Allowed = nil
			break
		}
		p.Allowed = append(p.Allowed, text)
	}
	if p.Kind == "" && len(p.Allowed) > 0 {
		p.Kind = "string"
	}
	if len(is.Items) > 0 {
		p.items = parameterOf(is.Items).Kind
	}
	return p
}

// kindOf reads a type, which may be a list of them; null is none that anybody types.
func kindOf(text json.RawMessage) string {
	var one string
	if json.Unmarshal(text, &one) == nil {
		return one
	}
	var several []string
	if json.Unmarshal(text, &several) != nil {
		return ""
	}
	several = slices.DeleteFunc(several, func(kind string) bool { return kind == "null" })
	if len(several) == 1 {
		return several[0]
	}
	return ""
}

// value reads what was given for a parameter. Only a list is given by several texts.
func (p Parameter) value(texts []string) (any, error) {
	if p.Kind == "array" {
		return p.list(texts)
	}
	if len(texts) > 1 {
		return nil, fmt.Errorf("it is given %d times, and is no list", len(texts))
	}
	return p.one(p.Kind, texts[0])
}

// list reads a list: a member from each text, or one text that is a JSON array unless the members are texts themselves.
func (p Parameter) list(texts []string) (any, error) {
	var whole []any
	if len(texts) == 1 && p.items != "string" && decode(texts[0], &whole) == nil && whole != nil {
		return whole, nil
	}
	list := make([]any, len(texts))
	for i, text := range texts {
		var err error
		if list[i], err = p.one(p.items, text); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (p Parameter) one(kind, text string) (any, error) {
	switch kind {
	case "string":
		if len(p.Allowed) > 0 && p.Kind == kind && !slices.Contains(p.Allowed, text) {
			return nil, fmt.Errorf("want %s", strings.Join(p.Allowed, ", "))
		}
		return text, nil
	case "boolean":
		on, err := strconv.ParseBool(text)
		if err != nil {
			return nil, errors.New("want true or false")
		}
		return on, nil
	case "integer", "number":
		return p.number(kind, text)
	case "object":
		var object map[string]any
		if decode(text, &object) != nil || object == nil {
			return nil, errors.New("want a JSON object")
		}
		return object, nil
	}
	var anything any
	if decode(text, &anything) == nil {
		return anything, nil
	}
	return text, nil
}

// number keeps the digits as they were typed.
func (p Parameter) number(kind, text string) (any, error) {
	var n json.Number
	f, err := strconv.ParseFloat(text, 64)
	if err == nil {
		err = decode(text, &n)
	}
	if err != nil || math.IsInf(f, 0) || kind == "integer" && f != math.Trunc(f) {
		return nil, fmt.Errorf("want %s", map[string]string{"integer": "a whole number", "number": "a number"}[kind])
	}
	if p.min != nil && f < *p.min || p.max != nil && f > *p.max {
		return nil, fmt.Errorf("want %s", p.bounds())
	}
	return n, nil
}

// bounds words what a number may be; empty: anything.
func (p Parameter) bounds() string {
	switch {
	case p.min != nil && p.max != nil:
		return fmt.Sprintf("%v to %v", plain(*p.min), plain(*p.max))
	case p.min != nil:
		return fmt.Sprintf("%v or more", plain(*p.min))
	case p.max != nil:
		return fmt.Sprintf("at most %v", plain(*p.max))
	}
	return ""
}

// plain writes a number without an exponent.
func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// decode reads one JSON value, numbers as they are written.
func decode(text string, into any) error {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if decoder.More() {
		return errors.New("there is more than one JSON value")
	}
	return nil
}
