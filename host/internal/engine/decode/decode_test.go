package decode

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func TestEventsAreDecodedAsTheBrowserSendsThem(t *testing.T) {
	at := time.UnixMicro(1795258312739500)
	for name, c := range map[string]struct {
		method, params string
		want           supervise.Event
	}{
		"a prompt with a lone surrogate": {"Page.javascriptDialogOpening",
			`{"url":"https://a.test/","frameId":"F","message":"x\ud800y","type":"prompt","hasBrowserHandler":true,"defaultPrompt":"Ada"}`,
			supervise.DialogOpening{Session: "s", Frame: "F", Type: abi.DialogTypePrompt, Message: "x\ufffdy", DefaultPrompt: "Ada", URL: "https://a.test/"}},
		"a closed dialog": {"Page.javascriptDialogClosed", `{"frameId":"F","result":true,"userInput":"Grace"}`,
			supervise.DialogClosed{Session: "s", Frame: "F", Accepted: true, UserInput: "Grace"}},
		"a navigation keeps its fragment": {"Page.frameNavigated",
			`{"frame":{"id":"F","loaderId":"L","url":"https://a.test/","urlFragment":"#x","domainAndRegistry":"a.test","securityOrigin":"https://a.test","mimeType":"text/html","secureContextType":"Secure","crossOriginIsolatedContextType":"NotIsolated","gatedAPIFeatures":[]},"type":"Navigation"}`,
			supervise.FrameNavigated{Session: "s", Frame: supervise.FrameInfo{ID: "F", Loader: "L", URL: "https://a.test/#x", Origin: "https://a.test"}}},
		"an opaque origin is null, an unreachable page shows where it wanted to go": {"Page.frameNavigated",
			`{"frame":{"id":"F","parentId":"P","loaderId":"L","name":"n","url":"chrome-error://chromewebdata/","unreachableUrl":"https://gone.test/","securityOrigin":"://"},"type":"BackForwardCacheRestore"}`,
			supervise.FrameNavigated{Session: "s", Frame: supervise.FrameInfo{ID: "F", Parent: "P", Loader: "L", Name: "n", URL: "https://gone.test/", Origin: "null", ErrorPage: true, Restored: true}}},
		"a navigation begins": {"Page.frameStartedNavigating", `{"frameId":"F","url":"https://a.test/#x","loaderId":"L","navigationType":"historyDifferentDocument"}`,
			supervise.NavigationStarted{Session: "s", Frame: "F", Loader: "L", URL: "https://a.test/#x"}},
		"one within the document begins nothing": {"Page.frameStartedNavigating", `{"frameId":"F","url":"https://a.test/#x","loaderId":"L","navigationType":"sameDocument"}`, nil},
		"a swap is no removal":                   {"Page.frameDetached", `{"frameId":"F","reason":"swap"}`, supervise.FrameDetached{Session: "s", Frame: "F", Swap: true}},
		"console arguments are joined as a console would print them": {"Runtime.consoleAPICalled",
			`{"type":"warning","args":[{"type":"string","value":"hello \"you\""},{"type":"number","value":1.5,"description":"1.5"},{"type":"number","unserializableValue":"-0","description":"-0"},{"type":"object","description":"Array(2)"},{"type":"undefined"},{"type":"boolean","value":true}],"executionContextId":1,"timestamp":1795258312739.5,"stackTrace":{"callFrames":[{"functionName":"f","scriptId":"1","url":"https://a.test/x.js","lineNumber":9,"columnNumber":4}]}}`,
			supervise.ConsoleMessage{Session: "s", Entry: supervise.ConsoleEntry{Type: "warning", Text: `hello "you" 1.5 -0 Array(2) undefined true`, Source: "https://a.test/x.js:10:5", At: at}}},
		"an uncaught exception has its stack": {"Runtime.exceptionThrown",
			`{"timestamp":1795258312739.5,"exceptionDetails":{"exceptionId":1,"text":"Uncaught","lineNumber":0,"columnNumber":6,"url":"https://a.test/","exception":{"type":"object","subtype":"error","className":"Error","description":"Error: no\n    at f"}}}`,
			supervise.ConsoleMessage{Session: "s", Entry: supervise.ConsoleEntry{Type: "exception", Text: "Uncaught Error: no\n    at f", Source: "https://a.test/:1:7", At: at}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Event("s", c.method, []byte(c.params))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, c.want)
			}
		})
	}
}

func TestALongConsoleTextIsCutAndSaysSo(t *testing.T) {
	got := Cut(strings.Repeat("é", MaxText))
	if !strings.HasSuffix(got, "… (8192 bytes more)") || len(got) > MaxText+30 {
		t.Errorf("%d bytes that end in %q", len(got), got[len(got)-30:])
	}
}

func TestMalformedEventsAreErrors(t *testing.T) {
	for method := range Methods() {
		if _, err := Event("s", method, []byte(`{"frameId":`)); err == nil {
			t.Errorf("%s: half an object was decoded", method)
		}
	}
}

func TestTheContextOfAPausedFrameIsInItsID(t *testing.T) {
	for id, want := range map[string]int64{"6226033018114548595.3.0": 3, "-12.40.1": 40, "": 0, "opaque": 0, "a.b.c": 0} {
		event, err := Event("s", "Debugger.paused", []byte(`{"callFrames":[{"callFrameId":"`+id+`","url":""}],"reason":"other"}`))
		if err != nil || event.(supervise.Paused).Context != want {
			t.Errorf("%q: %+v, %v", id, event, err)
		}
	}
	if event, err := Event("s", "Debugger.paused", []byte(`{"callFrames":[]}`)); err != nil || event.(supervise.Paused).CallFrame != "" {
		t.Errorf("no call frame: %+v, %v", event, err)
	}
}
