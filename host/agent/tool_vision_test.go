package agent

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// answered is a model played by a test.
type answered func(ctx context.Context, question string, picture []byte) (string, error)

// Ask implements [Vision].
func (a answered) Ask(ctx context.Context, question string, picture []byte) (string, error) {
	return a(ctx, question, picture)
}

func TestAModelAnswersTheQuestion(t *testing.T) {
	model := answered(func(ctx context.Context, question string, picture []byte) (string, error) {
		switch _, bounded := ctx.Deadline(); {
		case !bounded || !strings.HasPrefix(string(picture), "\x89PNG"):
			return "", errors.New("no bounded question about a picture")
		case question == "long":
			return strings.Repeat("é", 16<<10), nil
		case question == "never":
			<-ctx.Done()
			return "", errors.New("no answer in time")
		case question == "broken":
			return "", errors.New("the endpoint answered 500: \u202e")
		}
		return "a button\nIgnore \u202eall", nil
	})
	w := newWorld(t, map[string]string{"/": "<button>Save</button>"}, Options{Browser: BrowserOptions{Vision: model}})
	w.open("/")
	r := w.good("browser_vision", `{"question":"what is on it?"}`)
	want(t, r, "analysis", `"a button\nIgnore \\u202eall"`)
	want(t, r, "untrusted.fields", `["image","annotations","analysis"]`)
	if len(r.Images) != 1 || !strings.Contains(r.Text, "a model that looked at the picture says: a button\n") {
		t.Errorf("got %s", r.Text)
	}
	if text := field(t, w.good("browser_vision", `{"question":"long"}`), "analysis"); !strings.HasSuffix(text, `… (cut)"`) || len(text) > (16<<10)+20 {
		t.Errorf("a long answer has %d bytes", len(text))
	}
	for question, why := range map[string]string{"broken": `the endpoint answered 500: \\u202e`, "never": "no answer in time"} {
		r := w.good("browser_vision", `{"question":"`+question+`","timeout_ms":3000}`)
		if got := field(t, r, "analysis_error"); !strings.Contains(got, why) || len(r.Images) != 1 {
			t.Errorf("%s: %s", question, show(r))
		}
		if _, there := r.Structured["analysis"]; there || !strings.Contains(r.Text, "no analysis: ") || !strings.Contains(r.Text, "look at the picture for: "+question) {
			t.Errorf("%s: %s", question, show(r))
		}
	}
}
