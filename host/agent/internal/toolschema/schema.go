// Package toolschema makes JSON Schemas of the structs with a tool's parameters and result.
package toolschema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// The struct tags of parameters and results, besides json:
//
//	doc     the description for models; short, since every model pays for it
//	enum    the allowed texts, separated by commas
//	min,max inclusive bounds of a number
//	need    "yes": it is required
//	schema  "-": it is left out of the schemas
//	list    "no": it is accepted but not shown to models, for which its default is enough

// Of returns the JSON Schema of a struct, with properties in the order of its fields. A strict one has bounds and
// allows no other properties; arguments are checked against it. Models are given the shorter one: an error tells them
// what is allowed.
func Of(t reflect.Type, strict bool) json.RawMessage {
	w := schemaWriter{strict: strict, docs: !strict}
	w.value(t)
	return w.out.Bytes()
}

// Whole returns the schema with everything: all parameters, bounds and descriptions.
func Whole(t reflect.Type) json.RawMessage {
	w := schemaWriter{strict: true, docs: true}
	w.value(t)
	return w.out.Bytes()
}

// Output returns the schema of a result. What all results have comes first.
func Output(t reflect.Type) json.RawMessage {
	w := schemaWriter{shallow: true}
	w.out.WriteString(`{"type":"object","properties":{"success":{"type":"boolean"},"error":{"type":"string"}`)
	for _, f := range Fields(t, false) {
		w.out.WriteByte(',')
		w.property(f)
	}
	w.out.WriteString(`}}`)
	return w.out.Bytes()
}

type schemaWriter struct {
	out     bytes.Buffer
	strict  bool // with bounds, and parameters that models are not shown
	docs    bool // with descriptions
	shallow bool // without the contents of objects and lists
}

func (w *schemaWriter) value(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer:
		w.value(t.Elem())
	case reflect.Struct:
		w.object(t)
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
			w.out.WriteString(`{}`)
			return
		}
		w.list(t)
	case reflect.Map:
		w.out.WriteString(`{"type":"object"}`)
	case reflect.Interface:
		w.out.WriteString(`{}`)
	default:
		w.out.WriteString(`{"type":"` + scalars[t.Kind()] + `"}`)
	}
}

var scalars = map[reflect.Kind]string{
	reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Int64: "integer", reflect.Float64: "number",
}

func (w *schemaWriter) list(t reflect.Type) {
	if w.shallow {
		w.out.WriteString(`{"type":"array"}`)
		return
	}
	w.out.WriteString(`{"type":"array","items":`)
	w.value(t.Elem())
	w.out.WriteByte('}')
}

func (w *schemaWriter) object(t reflect.Type) {
	if w.shallow {
		w.out.WriteString(`{"type":"object"}`)
		return
	}
	w.out.WriteString(`{"type":"object"`)
	var needed []string
	fields := Fields(t, w.strict)
	for i, f := range fields {
		if i == 0 {
			w.out.WriteString(`,"properties":{`)
		} else {
			w.out.WriteByte(',')
		}
		w.property(f)
		if f.Tag.Get("need") != "" {
			needed = append(needed, Name(f))
		}
	}
	if len(fields) > 0 {
		w.out.WriteByte('}')
	}
	if len(needed) > 0 {
		w.out.WriteString(`,"required":`)
		w.json(needed)
	}
	if w.strict {
		w.out.WriteString(`,"additionalProperties":false`)
	}
	w.out.WriteByte('}')
}

// property writes a property with its schema and what its tags add.
func (w *schemaWriter) property(f reflect.StructField) {
	w.json(Name(f))
	w.out.WriteByte(':')
	if enum := f.Tag.Get("enum"); enum != "" { // implies the type
		w.out.WriteString(`{"enum":`)
		w.json(strings.Split(enum, ","))
		w.out.WriteByte('}')
		return
	}
	w.value(f.Type)
	extra := w.extras(f)
	if extra == "" {
		return
	}
	w.out.Truncate(w.out.Len() - 1) // the closing brace
	if w.out.Bytes()[w.out.Len()-1] == '{' {
		extra = strings.TrimPrefix(extra, ",")
	}
	w.out.WriteString(extra + "}")
}

func (w *schemaWriter) extras(f reflect.StructField) string {
	var extra schemaWriter
	if bound := f.Tag.Get("min"); bound != "" && w.strict {
		extra.out.WriteString(`,"minimum":` + bound)
	}
	if bound := f.Tag.Get("max"); bound != "" && w.strict {
		name := "maximum"
		if f.Type.Kind() == reflect.Slice {
			name = "maxItems"
		}
		extra.out.WriteString(`,"` + name + `":` + bound)
	}
	if doc := f.Tag.Get("doc"); doc != "" && w.docs {
		extra.out.WriteString(`,"description":`)
		extra.json(doc)
	}
	return extra.out.String()
}

// json writes a value whose encoding cannot fail.
func (w *schemaWriter) json(v any) {
	text, err := pagetext.Marshal(v)
	if err != nil {
		panic(err) // it writes only strings and lists of strings
	}
	w.out.Write(text)
}

// Fields lists the fields that have a JSON name, including those of embedded structs; all of them, or those shown to
// models.
func Fields(t reflect.Type, all bool) []reflect.StructField {
	var fields []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Tag.Get("schema") == "-", f.Tag.Get("json") == "-", !f.IsExported(), f.Tag.Get("list") == "no" && !all:
		case f.Anonymous && f.Tag.Get("json") == "":
			for _, inner := range Fields(f.Type, all) {
				if !hides(t, inner) {
					fields = append(fields, inner)
				}
			}
		default:
			fields = append(fields, f)
		}
	}
	return fields
}

// hides reports whether a struct has a field of its own with the JSON name of an embedded one.
func hides(t reflect.Type, inner reflect.StructField) bool {
	for i := range t.NumField() {
		if own := t.Field(i); !own.Anonymous && own.IsExported() && Name(own) == Name(inner) {
			return true
		}
	}
	return false
}

func Name(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
