package plugintool

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func TestAToolThatCouldNotBeCalledIsRefused(t *testing.T) {
	for text, says := range map[string]string{
		"": "", `{"type":"object","$defs":{"a":{}},"properties":{"x":{"$ref":"#/$defs/a"}}}`: "",
		`{"type":"objekt"}`: `tool "t": input_schema: `, `{"properties":{"x":{"$ref":"https://example.com/schema.json"}}}`: "leads out of the schema",
		`{"properties":{"x":{"$ref":"file:///etc/passwd"}}}`: "leads out of the schema", `{"properties":{"x":{"pattern":"("}}}`: `tool "t"`,
	} {
		err := CheckSchemas([]abi.ManifestTool{{Name: "t", InputSchema: text}})
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: the error is %v", text, err)
		}
	}
}
