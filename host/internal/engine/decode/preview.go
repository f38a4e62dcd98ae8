package decode

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/runtime"
)

// previewed are the subtypes of objects whose preview says more than their description, which has the stack of an
// error.
var previewed = []runtime.ObjectPreviewSubtype{
	"", runtime.ObjectPreviewSubtypeArray, runtime.ObjectPreviewSubtypeMap, runtime.ObjectPreviewSubtypeSet,
}

// previewText writes what a console shows of an object: {a: 1, b: 'x'}, [1, 2] or Map(1) {'k' => 2}. The browser bounds
// previews.
func previewText(p *runtime.ObjectPreview) string {
	switch {
	case p == nil:
		return ""
	case p.Type != runtime.ObjectPreviewTypeObject || !slices.Contains(previewed, p.Subtype):
		return previewValue(string(p.Type), p.Description)
	}
	open, end, isList := "{", "}", p.Subtype == runtime.ObjectPreviewSubtypeArray
	if isList {
		open, end = "[", "]"
	}
	var parts []string
	for i, property := range p.Properties {
		if len(p.Entries) > 0 && property.Name == "size" {
			continue // the description has it
		}
		value := previewValue(string(property.Type), property.Value)
		if property.ValuePreview != nil {
			value = previewText(property.ValuePreview)
		}
		if !isList || property.Name != strconv.Itoa(i) {
			value = property.Name + ": " + value
		}
		parts = append(parts, value)
	}
	for _, entry := range p.Entries {
		value := previewText(entry.Value)
		if entry.Key != nil {
			value = previewText(entry.Key) + " => " + value
		}
		parts = append(parts, value)
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	text := open + strings.Join(parts, ", ") + end
	if p.Description != "Object" && !isList {
		text = p.Description + " " + text
	}
	return text
}

func previewValue(kind, value string) string {
	if kind == "string" {
		return "'" + value + "'"
	}
	return cmp.Or(value, kind)
}
