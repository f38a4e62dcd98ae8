package upstream

import (
	"encoding/json"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// resultKey is where the structured content of a server stands in that of a result: beside success and error, which every
// tool of this program has.
const resultKey = "result"

// outputSchema describes results in which a server's structured content is under [resultKey]. It is nil where the server
// does not describe an object, or at too great a length.
func outputSchema(schema any) json.RawMessage {
	object, ok := schema.(map[string]any)
	if !ok || object["type"] != "object" {
		return nil
	}
	object = readableSchema(object).(map[string]any)
	if object["$id"] == nil { // else references are to it, wherever it stands
		moveReferences(object, "#/properties/"+resultKey)
	}
	text := map[string]any{"type": "string"}
	out, err := json.Marshal(map[string]any{"type": "object", "required": []string{"success"}, "properties": map[string]any{
		"success": map[string]any{"type": "boolean"}, "error": text, "kind": text, "text": text, resultKey: object,
	}})
	if err != nil || len(out) > maxSchema {
		return nil
	}
	return out
}

// moveReferences makes the references of a schema to parts of itself right for where it is put. Those to anchors (#name) are
// right anywhere.
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

// readableSchema is a copy of a schema in which what is for people and models hides nothing. Names and values stay as the
// server compares them.
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

// readable is a copy of a JSON value whose texts have no secrets and show what steers a terminal or hides.
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

// readableText is a text that hides nothing. The ends of lines of other systems are no secret.
func readableText(text string) string { return pagetext.Lines(strings.ReplaceAll(text, "\r\n", "\n")) }
