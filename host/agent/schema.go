package agent

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// The tags of parameters and results, beside json:
//
//	doc     what a model is told of it; short, since every model pays for it
//	enum    the texts that are allowed, parted by commas
//	min,max bounds of a number, included
//	need    "yes": it must be there
//	schema  "-": it is left out of the schemas
//	list    "no": it is taken, and models are not told of it; they get by with its default

// schemaOf writes the JSON Schema of a struct, properties in the order of its fields. A strict one has bounds and allows no
// others: it is what arguments are checked by. Models are given the other, which is shorter: an error says what is allowed.
func schemaOf(t reflect.Type, strict bool) json.RawMessage {
	w := schemaWriter{strict: strict, docs: !strict}
	w.value(t)
	return w.out.Bytes()
}

// wholeSchemaOf has all that is known: every parameter, bounds, and what models are told.
func wholeSchemaOf(t reflect.Type) json.RawMessage {
	w := schemaWriter{strict: true, docs: true}
	w.value(t)
	return w.out.Bytes()
}

// outputSchemaOf is that of a result: what is common to all of them comes first.
func outputSchemaOf(t reflect.Type) json.RawMessage {
	w := schemaWriter{shallow: true}
	w.out.WriteString(`{"type":"object","properties":{"success":{"type":"boolean"},"error":{"type":"string"}`)
	for _, f := range fieldsOf(t, false) {
		w.out.WriteByte(',')
		w.property(f)
	}
	w.out.WriteString(`}}`)
	return w.out.Bytes()
}

type schemaWriter struct {
	out     bytes.Buffer
	strict  bool // with bounds, and with what models are not told of
	docs    bool // with what models are told of a property
	shallow bool // what is inside of objects and lists is left out
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
	fields := fieldsOf(t, w.strict)
	for i, f := range fields {
		if i == 0 {
			w.out.WriteString(`,"properties":{`)
		} else {
			w.out.WriteByte(',')
		}
		w.property(f)
		if f.Tag.Get("need") != "" {
			needed = append(needed, nameOf(f))
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

// property writes a member with its schema, and adds to that what the tags say.
func (w *schemaWriter) property(f reflect.StructField) {
	w.json(nameOf(f))
	w.out.WriteByte(':')
	if enum := f.Tag.Get("enum"); enum != "" { // which says of what type it is
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
	w.out.Truncate(w.out.Len() - 1) // the brace
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

// json writes a value that always encodes, such as a text.
func (w *schemaWriter) json(v any) {
	encoder := json.NewEncoder(&w.out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // only texts and lists of texts are written by it
	}
	w.out.Truncate(w.out.Len() - 1) // the line feed
}

// fieldsOf lists the fields that have a name in JSON, those of embedded structs in their place; all of them, or those that
// models are told of.
func fieldsOf(t reflect.Type, all bool) []reflect.StructField {
	var fields []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Tag.Get("schema") == "-", f.Tag.Get("json") == "-", !f.IsExported(), f.Tag.Get("list") == "no" && !all:
		case f.Anonymous && f.Tag.Get("json") == "":
			fields = append(fields, fieldsOf(f.Type, all)...)
		default:
			fields = append(fields, f)
		}
	}
	return fields
}

func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
