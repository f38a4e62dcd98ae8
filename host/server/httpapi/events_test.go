package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

// listener is a client of a stream.
type listener struct {
	t     *testing.T
	lines *bufio.Scanner
}

func listen(ctx context.Context, t *testing.T, address string) *listener {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Fatalf("the answer is %s, %s", answer.Status, kind)
	}
	return &listener{t, bufio.NewScanner(answer.Body)}
}

// next returns the next event.
func (l *listener) next() (name string, data map[string]any) {
	l.t.Helper()
	for l.lines.Scan() {
		switch field, value, _ := strings.Cut(l.lines.Text(), ": "); field {
		case "event":
			name = value
		case "data":
			if err := json.Unmarshal([]byte(value), &data); err != nil {
				l.t.Fatal(err)
			}
		case "":
			if name != "" { // else it was a comment
				return name, data
			}
		}
	}
	l.t.Fatalf("the stream ended: %v", l.lines.Err())
	return "", nil
}

// until skips to the next event of that name.
func (l *listener) until(want string) map[string]any {
	l.t.Helper()
	for {
		if name, data := l.next(); name == want {
			return data
		}
	}
}

func TestEventsAreStreamedUntilTheTaskEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	h, err := host.New(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	task, err := h.Launch(ctx, "one", &host.LaunchOptions{Executable: hosttest.Executable(t)}, &host.TaskOptions{DialogPolicy: "must_respond"})
	if err != nil {
		t.Fatal(err)
	}
	running := tasks.New(h, nil)
	address := serve(t, Options{Tools: newFakeTools(), Tasks: running}) + pathEvents + "?task=one"
	all := listen(ctx, t, address)
	name, state := all.next()
	if name != eventState || state["task_id"] != "one" || len(state["frames"].([]any)) != 1 || len(state["pending_dialogs"].([]any)) != 0 {
		t.Fatalf("the first event is %s %v", name, state)
	}
	dialogs := listen(ctx, t, address+"&only=dialog_opened,dialog_closed")

	if _, err := task.Tab("").Evaluate(ctx, `console.log("<b>\nline\u202e\x1b[2J"); document.body.append(document.createElement("iframe"))`, nil); err != nil {
		t.Fatal(err)
	}
	seen := map[string]map[string]any{}
	for seen[eventFrames] == nil || seen["console"] == nil {
		name, data := all.next()
		seen[name] = data
	}
	if message := seen["console"]["console"].(map[string]any); message["text"] != "<b>\nline\\u202e\\x1b[2J" {
		t.Errorf("the console says %v", message)
	}
	for name, event := range map[string]map[string]any{eventState: state, eventFrames: seen[eventFrames], "console": seen["console"]} {
		if marked, _ := event["untrusted"].([]any); !slices.Contains(marked, any("text")) {
			t.Errorf("the event %s does not say what pages wrote: %v", name, event)
		}
	}
	if tree := seen[eventFrames]["frames"].([]any)[0].(map[string]any)["frame_tree"].(map[string]any); len(tree["children"].([]any)) != 1 {
		t.Errorf("the frames are %v", tree)
	}

	if _, err := task.Tab("").Evaluate(ctx, `alert("stop")`, nil); err == nil {
		t.Fatal("the alert does not block")
	}
	if _, err := task.RespondDialog(ctx, host.DialogResponse{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"dialog_opened", "dialog_closed"} {
		if name, data := dialogs.next(); name != want || data["dialog"].(map[string]any)["message"] != "stop" {
			t.Errorf("the event is %s %v, want %s", name, data, want)
		}
	}
	if err := task.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if data := all.until(eventEnd); data["task_id"] != "one" {
		t.Errorf("the end is %v", data)
	}
	if all.lines.Scan() {
		t.Errorf("after the end comes %q", all.lines.Text())
	}
}
