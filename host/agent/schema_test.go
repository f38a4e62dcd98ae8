package agent

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/toolschema"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schema"
)

type sample struct {
	Name  string   `json:"name" need:"yes" doc:"who"`
	Way   string   `json:"way,omitempty" enum:"up,down"`
	Count int      `json:"count,omitempty" min:"1" max:"5"`
	Parts []nested `json:"parts,omitempty" max:"2"`
	Free  any      `json:"free,omitempty"`
	Text  *string  `json:"text,omitempty"`
	Ours  string   `json:"ours,omitempty" schema:"-"`
	Timeout
}

type nested struct {
	On bool `json:"on" need:"yes"`
}

func TestSchemaOf(t *testing.T) {
	const want = `{"type":"object","properties":{"name":{"type":"string","description":"who"},"way":{"enum":["up","down"]},` +
		`"count":{"type":"integer"},` +
		`"parts":{"type":"array","items":{"type":"object","properties":{"on":{"type":"boolean"}},"required":["on"]}},` +
		`"free":{},"text":{"type":"string"},"timeout_ms":{"type":"integer"}},"required":["name"]}`
	if got := string(toolschema.Of(reflect.TypeFor[sample](), false)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBuiltinsHaveEveryParameter(t *testing.T) {
	list := Builtins()
	for i, tool := range list {
		if i > 0 && list[i-1].Name >= tool.Name {
			t.Errorf("%s comes after %s", tool.Name, list[i-1].Name)
		}
		if tool.Name == "browser_hover" {
			const want = `"frame_id":{"type":"string"},"tab":{"type":"string"}`
			if got := string(tool.Input); !strings.Contains(got, want) || !strings.Contains(got, `"minimum":1,"maximum":600000`) || !strings.Contains(got, `"CSS"`) {
				t.Errorf("got %s", got)
			}
		}
	}
	if string(builtins()["browser_hover"].Input) == string(builtins()["browser_hover"].whole) {
		t.Error("models are told everything")
	}
}

func TestOutputSchemaLeavesOutWhatIsInsideOfObjects(t *testing.T) {
	const want = `{"type":"object","properties":{"success":{"type":"boolean"},"error":{"type":"string"},` +
		`"parts":{"type":"array"},"one":{"type":"object"}}}`
	type result struct {
		Parts []nested `json:"parts"`
		One   nested   `json:"one"`
	}
	if got := string(toolschema.Output(reflect.TypeFor[result]())); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBadArgumentsNameTheParameter(t *testing.T) {
	s := define("browser_sample", "A sample.", traits{}, func(*Browser, context.Context, sample) (browsertool.CloseResult, error) {
		return browsertool.CloseResult{}, nil
	})
	for name, c := range map[string]struct {
		arguments string
		parameter string
		says      string
	}{
		"a name that is unknown is shown with those that are known": {`{"name":"a","naem":"b"}`, "", `unknown "naem"; the parameters of browser_sample are name, way, count, parts, free, text, timeout_ms`},
		"one that is required is missing":                           {`{}`, "", `missing "name"`},
		"a number where a text is wanted":                           {`{"name":7}`, "name", "7 is a number; want string"},
		"a fraction where an integer is wanted":                     {`{"name":"a","count":1.5}`, "count", "want integer"},
		"a word that is none of those allowed":                      {`{"name":"a","way":"left"}`, "way", `want "up" or "down"`},
		"a number that is out of its bounds":                        {`{"name":"a","count":6}`, "count", "at most 5"},
		"a timeout that is too long":                                {`{"name":"a","timeout_ms":600001}`, "timeout_ms", "at most 600000"},
		"what is wrong in a list is named by its place":             {`{"name":"a","parts":[{"on":true},{"on":"yes"}]}`, "parts[1].on", "want boolean"},
		"no object":          {`[1]`, "", "takes a JSON object"},
		"no JSON":            {`{`, "", "takes a JSON object"},
		"null is no object":  {`null`, "", "takes a JSON object"},
		"no field of ours":   {`{"name":"a","ours":"b"}`, "", `unknown "ours"`},
		"JSON minds capital": {`{"Name":"a"}`, "", `missing "name"`},
	} {
		t.Run(name, func(t *testing.T) {
			var p sample
			err := s.decode(json.RawMessage(c.arguments), &p)
			var wrong *result.ArgumentError
			if !errors.As(err, &wrong) || !errors.Is(err, fault.ErrBadArguments) {
				t.Fatalf("got %v", err)
			}
			if wrong.Parameter != c.parameter || !strings.Contains(wrong.Problem, c.says) {
				t.Errorf("got %q: %q, want %q: ...%q", wrong.Parameter, wrong.Problem, c.parameter, c.says)
			}
		})
	}
}

func TestGoodArgumentsAreRead(t *testing.T) {
	s := define("browser_sample", "A sample.", traits{}, func(*Browser, context.Context, sample) (browsertool.CloseResult, error) {
		return browsertool.CloseResult{}, nil
	})
	var p sample
	if err := s.decode(json.RawMessage(`{"name":"a","parts":[{"on":true}],"text":"","timeout_ms":5}`), &p); err != nil {
		t.Fatal(err)
	}
	if p.Name != "a" || !p.Parts[0].On || p.Text == nil || p.TimeoutMS != 5 {
		t.Errorf("got %+v", p)
	}
}

// What a model is shown must be what a validating client accepts.
func TestSchemasOfTheToolsAreValid(t *testing.T) {
	for name, s := range builtins() {
		for _, text := range []json.RawMessage{s.Input, s.Output} {
			if _, err := schema.Compile(string(text)); err != nil {
				t.Errorf("%s: %v: %s", name, err, text)
			}
			var object map[string]any
			if err := json.Unmarshal(text, &object); err != nil || object["type"] != "object" {
				t.Errorf("%s: no schema of type object: %s", name, text)
			}
		}
		if s.Description == "" || !namePattern.MatchString(name) {
			t.Errorf("%s has no description, or no name that models' interfaces take", name)
		}
	}
}
