package sdktest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// keysRead are those of a reader that uses all that there is.
func keysRead() []config.Key {
	return config.Record(func() {
		r := config.Read("configuration", abi.Struct{})
		_ = r.String("name", "*")
		_ = r.OneOf("answer", "dismiss", "accept", "dismiss")
		_ = r.OneOf("mode", "", "fast", "slow") // an absent key has a meaning of its own
		_ = r.Bool("loud", true)
		_ = r.Int("count", 3, 1, 10)
		_ = r.Milliseconds("timeout_s", 1500, 60)
		_ = r.Strings("words")
		r.Objects("rules", func(item *config.Reader) {
			_ = item.String("message", "")
			if !item.Has("verdict") {
				item.Refuse("verdict", "a verdict")
			}
			_ = item.OneOf("verdict", "", "hold", "accept")
		})
		_ = r.String("name", "another") // asked for twice
	})
}

const full = `{
  "name": "n",
  "config_schema": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "name": {
        "type": "string",
        "default": "*"
      },
      "answer": {
        "enum": [
          "accept",
          "dismiss"
        ],
        "default": "dismiss"
      },
      "mode": {
        "enum": [
          "fast",
          "slow"
        ]
      },
      "loud": {
        "type": "boolean",
        "default": true
      },
      "count": {
        "type": "integer",
        "minimum": 1,
        "maximum": 10,
        "default": 3
      },
      "timeout_s": {
        "type": "number",
        "minimum": 0.001,
        "maximum": 60,
        "default": 1.5
      },
      "words": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "rules": {
        "type": "array",
        "items": {
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "message": {
              "type": "string"
            },
            "verdict": {
              "enum": [
                "hold",
                "accept"
              ]
            }
          }
        }
      }
    }
  }
}
`

func TestASchemaIsWhatAReaderReads(t *testing.T) {
	got, differences, err := schemaIn([]byte("{\n  \"name\": \"n\"\n}\n"), keysRead())
	if err != nil || string(got) != full || len(differences) != 8 {
		t.Errorf("the manifest is\n%s\nwith %q (%v), want\n%s", got, differences, err, full)
	}
	if again, differences, err := schemaIn(got, keysRead()); err != nil || len(differences) > 0 || string(again) != full {
		t.Errorf("what was written differs: %q (%v)\n%s", differences, err, again)
	}
}

func TestWhatASchemaSaysOtherwiseIsNamed(t *testing.T) {
	for change, want := range map[[2]string]string{
		{`"default": "*"`, `"default": "?"`}:                        `name: default is "?", and should be "*"`,
		{`"type": "boolean"`, `"type": "string"`}:                   `loud: type is "string", and should be "boolean"`,
		{`"maximum": 10`, `"maximum": 11`}:                          `count: maximum is 11, and should be 10`,
		{`"minimum": 0.001,`, ``}:                                   `timeout_s: minimum is missing, and should be 0.001`,
		{`"loud"`, `"noisy"`}:                                       `loud is missing`,
		{`"rules"`, `"rule"`}:                                       `rule is there, and the plugin does not read it`,
		{`"message"`, `"text"`}:                                     `rules[].text is there, and the plugin does not read it`,
		{"\"hold\",\n                \"accept\"", `"hold"`}:         `rules[].verdict: enum is`,
		{`"default": 3`, `"default": 3, "description": "kept"`}:     ``,
		{`"properties": {`, `"required": ["name"], "properties":{`}: ``,
	} {
		text := strings.Replace(full, change[0], change[1], 1)
		if text == full {
			t.Fatalf("%q is not there", change[0])
		}
		got, differences, err := schemaIn([]byte(text), keysRead())
		if all := strings.Join(differences, "\n"); err != nil || !strings.Contains(all, want) || (want == "") != (all == "") {
			t.Errorf("%q: %q (%v), want %q", change[1], differences, err, want)
		}
		for _, kept := range []string{`"description": "kept"`, `"required": ["name"]`} {
			if strings.Contains(text, kept) && !strings.Contains(strings.Join(strings.Fields(string(got)), ""), strings.ReplaceAll(kept, " ", "")) {
				t.Errorf("%s is lost:\n%s", kept, got)
			}
		}
	}
}

func TestATableHasTheKeysAndTheirDescriptions(t *testing.T) {
	manifest := strings.Replace(full, `"default": 3`, `"default": 3, "description": "How many | how often."`, 1)
	document := "# P\n\n<!-- configuration -->\nold\n<!-- /configuration -->\n\nend\n"
	got, differences, err := tableIn([]byte(document), []byte(manifest), keysRead())
	if err != nil || len(differences) != 1 || !strings.HasPrefix(string(got), "# P\n\n<!-- configuration -->\n\n| key |") || !strings.HasSuffix(string(got), "\n\n<!-- /configuration -->\n\nend\n") {
		t.Fatalf("%s\n%q (%v)", got, differences, err)
	}
	for _, row := range []string{
		"| `answer` | `accept`, `dismiss` | `dismiss` |  |", "| `count` | integer from 1 to 10 | `3` | How many \\| how often. |",
		"| `words` | array of strings |  |  |", "| `rules[].verdict` | `hold`, `accept` |  |  |",
	} {
		if !strings.Contains(string(got), row+"\n") {
			t.Errorf("no row %s in\n%s", row, got)
		}
	}
	if _, differences, err := tableIn(got, []byte(manifest), keysRead()); err != nil || len(differences) > 0 {
		t.Errorf("what was written differs: %q (%v)", differences, err)
	}
	if _, _, err := tableIn([]byte("no table"), []byte(manifest), nil); err == nil {
		t.Error("a document without the lines is accepted")
	}
}

func TestWhatDiffersIsWrittenWhenAskedFor(t *testing.T) {
	name := filepath.Join(t.TempDir(), "manifest.json")
	if err := os.WriteFile(name, []byte("{\n  \"name\": \"n\"\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := func(text []byte) ([]byte, []string, error) { return schemaIn(text, keysRead()) }
	if _, err := checkFile(name, want); err == nil || !strings.Contains(err.Error(), "name is missing") || !strings.Contains(err.Error(), UpdateEnv+"=1") {
		t.Errorf("error is %v", err)
	}
	t.Setenv(UpdateEnv, "1")
	if _, err := checkFile(name, want); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != full {
		t.Errorf("it wrote %s (%v)", got, err)
	}
}
