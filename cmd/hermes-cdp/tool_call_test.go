package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/config"
)

// A tool from elsewhere may have any schema.
const strangeSchema = `{"type":"object","properties":{
	"s":{"type":"string"},"maybe":{"type":["string","null"]},"n":{"type":"number"},"i":{"type":"integer"},"b":{"type":"boolean"},
	"texts":{"type":"array","items":{"type":"string"}},"numbers":{"type":"array","items":{"type":"integer"}},"list":{"type":"array"},
	"o":{"type":"object"},"any":{},"true":true,"either":{"anyOf":[{"type":"string"},{"type":"number"}]},"numbered":{"enum":[1,2]},
	"word":{"type":"string","enum":["up","down"]}}}`

func TestArgumentsAsTheSchemaWantsThem(t *testing.T) {
	tool := agent.Tool{Name: "strange", Input: json.RawMessage(strangeSchema)}
	for pairs, want := range map[string]string{
		"":                             `{"base":1}`,
		"s=7":                          `{"base":1,"s":"7"}`,
		"s=a=b":                        `{"base":1,"s":"a=b"}`,
		"s=":                           `{"base":1,"s":""}`,
		"maybe=true":                   `{"base":1,"maybe":"true"}`,
		"n=1.5 i=12345678901234567890": `{"base":1,"i":12345678901234567890,"n":1.5}`,
		"b=true":                       `{"b":true,"base":1}`,
		"texts=[1]":                    `{"base":1,"texts":["[1]"]}`,
		"texts=a texts=b":              `{"base":1,"texts":["a","b"]}`,
		"numbers=[1,2]":                `{"base":1,"numbers":[1,2]}`,
		"numbers=1 numbers=2":          `{"base":1,"numbers":[1,2]}`,
		"list=1 list=x":                `{"base":1,"list":[1,"x"]}`,
		`o={"a":1}`:                    `{"base":1,"o":{"a":1}}`,
		`any={"a":1} true=x either=5`:  `{"any":{"a":1},"base":1,"either":5,"true":"x"}`,
		"numbered=2":                   `{"base":1,"numbered":2}`,
		"word=up":                      `{"base":1,"word":"up"}`,
		"unknown=1":                    `{"base":1,"unknown":1}`,
		"base=2":                       `{"base":2}`,
		"word=left":                    "--arg word: want up, down",
		"n=many":                       "--arg n: want a number",
		"n=Inf":                        "--arg n: want a number",
		"numbers=x":                    "--arg numbers: want a whole number",
		"o=[1]":                        "--arg o: want a JSON object",
		"s=1 s=2":                      "--arg s: it is given 2 times, and is no list",
		"s":                            `--arg is "s", want NAME=VALUE`,
		"=s":                           `--arg is "=s", want NAME=VALUE`,
	} {
		got, err := addPairs(tool, map[string]any{"base": 1}, strings.Fields(pairs))
		if err != nil {
			got = json.RawMessage(err.Error())
		}
		if string(got) != want {
			t.Errorf("%s: got %s, want %s", pairs, got, want)
		}
	}
}

func TestTheToolsOfTheCommandLine(t *testing.T) {
	for name, c := range map[string]struct {
		options callOptions
		config  config.Config
		want    []string
	}{
		"nothing is configured":      {callOptions{}, config.Config{}, []string{"all"}},
		"toolsets are configured":    {callOptions{}, config.Config{Toolsets: []string{"browser-read"}}, nil},
		"for this client":            {callOptions{}, config.Config{PlatformToolsets: map[string][]string{clientName: {"browser"}}}, nil},
		"for another client":         {callOptions{}, config.Config{PlatformToolsets: map[string][]string{"hermes-acp": {"browser"}}}, []string{"all"}},
		"the command line is strong": {callOptions{toolsets: []string{"x"}}, config.Config{Toolsets: []string{"browser-read"}}, []string{"x"}},
	} {
		if got := c.options.view(&c.config); !reflect.DeepEqual(got.Toolsets, c.want) || got.Client != clientName {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestPicturesBecomeFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pictures")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	png, jpeg := agent.Image{MIMEType: "image/png", Data: []byte("png")}, agent.Image{MIMEType: "image/jpeg", Data: []byte("jpeg")}
	kept := map[string]any{"results": []any{
		map[string]any{"result": map[string]any{"screenshot_path": "/kept/1.png"}}, map[string]any{}, map[string]any{"result": map[string]any{"screenshot_path": "/kept/2.png"}},
	}}
	for name, c := range map[string]struct {
		result  agent.Result
		options callOptions
		want    []string // paths, or data
	}{
		"none":                              {agent.Result{}, callOptions{output: filepath.Join(dir, "none.png")}, []string{}},
		"what the daemon kept stays":        {agent.Result{Structured: kept, Images: []agent.Image{png, jpeg}}, callOptions{}, []string{"/kept/1.png", "/kept/2.png"}},
		"what it did not keep is written":   {agent.Result{Images: []agent.Image{png, jpeg}}, callOptions{}, []string{dir + "/*.png", dir + "/*.jpg"}},
		"to a file":                         {agent.Result{Structured: kept, Images: []agent.Image{png, jpeg}}, callOptions{output: dir + "/a.b.png"}, []string{dir + "/a.b.png", dir + "/a.b-2.png"}},
		"within the object":                 {agent.Result{Structured: kept, Images: []agent.Image{png}}, callOptions{base64: true}, []string{"cG5n"}},
		"one that is kept is not all":       {agent.Result{Structured: map[string]any{"screenshot_path": "/kept"}, Images: []agent.Image{png, png}}, callOptions{}, []string{dir + "/*.png", dir + "/*.png"}},
		"a kind of picture that is unheard": {agent.Result{Images: []agent.Image{{MIMEType: "image/x-new"}}}, callOptions{}, []string{dir + "/*.bin"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := keepPictures(c.result, c.options, dir)
			if err != nil || len(got) != len(c.want) {
				t.Fatalf("got %+v, %v", got, err)
			}
			for i, p := range got {
				if match, _ := filepath.Match(c.want[i], p.Path+p.Data); !match {
					t.Errorf("picture %d is %+v, want %s", i, p, c.want[i])
				}
				if !p.ours {
					continue
				}
				data, err := os.ReadFile(p.Path)
				info, _ := os.Stat(p.Path)
				if err != nil || !slices.Equal(data, c.result.Images[i].Data) || info.Mode().Perm() != 0o600 {
					t.Errorf("the file has %q and the mode %v (%v)", data, info.Mode(), err)
				}
			}
		})
	}
	if _, err := keepPictures(agent.Result{Images: []agent.Image{png}}, callOptions{}, ""); err == nil || !strings.Contains(err.Error(), "--output FILE") {
		t.Errorf("without a place: %v", err)
	}
}

func TestWhatToTypeNext(t *testing.T) {
	dialogs := []any{map[string]any{"id": "d-1", "type": "confirm", "message": "Sure?"}}
	for name, c := range map[string]struct {
		failed toolError
		exit   int
		want   string
	}{
		"a call that can be resumed": {toolError{tool: "browser_click", result: agent.Result{Structured: map[string]any{
			"error": "blocked by a dialog", "kind": "blocked_by_dialog", "call_id": "c-1", "pending_dialogs": dialogs,
		}}}, exitBlocked, "hermes-cdp: browser_click: blocked by a dialog\n  d-1 confirm, the page says \"Sure?\"\n" +
			"  answer it: hermes-cdp dialog accept d-1, or dismiss\n  the result, once answered: hermes-cdp browser resume c-1\n"},
		"a call that was not begun, in a task": {toolError{tool: "browser_click", task: "my task", result: agent.Result{Structured: map[string]any{
			"error": "blocked by a dialog", "kind": "blocked_by_dialog", "pending_dialogs": dialogs,
		}}}, exitBlocked, "hermes-cdp: browser_click: blocked by a dialog\n  d-1 confirm, the page says \"Sure?\"\n" +
			"  answer it: hermes-cdp dialog accept d-1 --task 'my task', or dismiss\n  nothing was begun: type the command again once it is answered\n"},
		"a list of actions": {toolError{tool: "browser_interact", result: agent.Result{Text: "1 click failed: \x1b[31mno\nthe tab is at x", Structured: map[string]any{"success": false}}},
			exitFailed, "hermes-cdp: browser_interact did not do what was asked\n  1 click failed: \\x1b[31mno\n  the tab is at x\n"},
		"an error of two lines is told once": {toolError{tool: "browser_cdp", result: agent.Result{
			Text: "error: one\ntwo\nprotocol: https://x/", Structured: map[string]any{"error": "one\ntwo", "kind": "cdp_protocol"},
		}}, exitFailed, "hermes-cdp: browser_cdp: one two\n  protocol: https://x/\n"},
		"bad arguments": {toolError{tool: "t", result: agent.Result{Text: "error: bad", Structured: map[string]any{"error": "bad", "kind": "bad_arguments"}}}, exitUsage, "hermes-cdp: t: bad\n"},
		"a timeout":     {toolError{tool: "t", result: agent.Result{Structured: map[string]any{"error": "late", "kind": "timeout"}}}, exitTimeout, "hermes-cdp: t: late\n"},
		"no connection": {toolError{tool: "t", result: agent.Result{Structured: map[string]any{"error": "gone", "kind": "cdp_transport"}}}, exitUnreachable, "hermes-cdp: t: gone\n"},
		"a tool from elsewhere that says nothing": {toolError{tool: "t", result: agent.Result{Structured: map[string]any{"error": 5, "pending_dialogs": "x"}}}, exitFailed, "hermes-cdp: t did not do what was asked\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			(&app{stderr: &out}).printToolError(c.failed)
			if out.String() != c.want || c.failed.exit() != c.exit {
				t.Errorf("exit %d, want %d; got\n%swant\n%s", c.failed.exit(), c.exit, out.String(), c.want)
			}
		})
	}
}
