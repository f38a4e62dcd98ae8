package upstream

import (
	"encoding/json"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// resultKey is the key of a server's structured content in a result, beside success and error, which every tool of this
// program has.
const resultKey = "result"

// outputSchema describes results that have a server's structured content under [resultKey]. It is nil if the server
// does not describe an object, or if its schema is too long.
func outputSchema(schema any) json.RawMessage {
	object, ok := schema.(map[string]any)
	if !ok || object["type"] != "object" {
		return nil
	}
	object = readableSchema(object).(map[string]any)
	if object["$id"] == nil { // otherwise references are relative to its $id
		moveReferences(object, "#/properties/"+resultKey)
	}
	text := map[string]any{"type": "string"}
	out, err := json.Marshal(map[string]any{"type": "object", "required": []string{"success"}, "properties": map[string]any{
		"success": map[string]any{"type": "boolean"}, "error": text, "kind": text, "code": text, "text": text, resultKey: object,
	}})
	if err != nil || len(out) > maxSchema {
		return nil
	}
	return out
}

// moveReferences adjusts a schema's references to its own parts after it has been moved. References to anchors (#name)
// stay valid.
//
// https://json-schema.org/draft/2020-12/json-schema-core#name-direct-references-with-ref
func moveReferences(schema any, to string) {
	switch v := schema.(type) {
	case map[string]any:
		for name, value := range v {
			if text, ok := value.(string); ok && (name == "$ref" || name == "$dynamicRef") && (text == "#" || strings.HasPrefix(text, "#/")) {
				v[name] = to + text[1:]
				continue
			}
			moveReferences(value, to)
		}
	case []any:
		for _, value := range v {
			moveReferences(value, to)
		}
	}
}

// readableSchema returns a copy of a schema whose titles and descriptions hide nothing from people and models. Names
// and values are unchanged, as the server compares them.
func readableSchema(schema any) any {
	switch v := schema.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			text, isText := value.(string)
			if isText && (name == "description" || name == "title") {
				out[name] = pagetext.Lines(text)
				continue
			}
			out[name] = readableSchema(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = readableSchema(value)
		}
		return out
	}
	return schema
}

// readable returns a copy of a JSON value with secrets removed from its texts, and with control and invisible
// characters escaped.
func readable(value any, secrets hider) any {
	switch v := value.(type) {
	case string:
		return secrets.text(readableText(v))
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			out[pagetext.Line(name)] = readable(value, secrets)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = readable(value, secrets)
		}
		return out
	}
	return value
}

// readableText escapes what a text could hide. CRLF line ends are accepted.
func readableText(text string) string { return pagetext.Lines(strings.ReplaceAll(text, "\r\n", "\n")) }
