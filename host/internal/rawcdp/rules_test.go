package rawcdp

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
	"github.com/hermes-cdp/hermes-cdp/internal/upload"
)

// permit applies all rules that need no browser to a command of a task without a browser context of its own.
func permit(r act.Rules, method, raw string) (params, error) {
	t := &act.Pages{Task: &engine.Task{}, Rules: &r}
	c := Call{Method: method, Params: json.RawMessage(raw)}
	p, err := parseParams(c)
	if err != nil {
		return nil, err
	}
	if err := check(t, c, p); err != nil {
		return nil, err
	}
	return p, confine(t, method, p)
}

// checkRefused checks that an error refuses a method, with a text and a code.
func checkRefused(t *testing.T, err error, method, reason string, code error) {
	t.Helper()
	var refused *fault.RefusedError
	if !errors.As(err, &refused) || refused.Method != method || !errors.Is(err, code) {
		t.Errorf("%s: got %v, want a refusal that matches %v", method, err, code)
		return
	}
	if !strings.Contains(refused.Reason, reason) {
		t.Errorf("%s is refused because %q, want %q", method, refused.Reason, reason)
	}
}

func TestARefusedCommandNamesTheReason(t *testing.T) {
	const (
		browser  = "it acts on the whole browser"
		task     = "does not act only on what belongs to the task"
		attaches = "the host attaches to every target by itself"
		sessions = "the host keeps a session for each target"
		foreign  = "the browser context is not the task's own"
	)
	for _, c := range []struct{ method, params, reason string }{
		{"Target.setAutoAttach", "", attaches},
		{"Target.autoAttachRelated", "", attaches},
		{"Target.attachToTarget", `{"targetId":"T"}`, sessions},
		{"Target.detachFromTarget", "", sessions},
		{"Target.sendMessageToTarget", "", sessions},
		{"Page.waitForDebugger", "", "it would stop every script of the page"},
		{"Tethering.bind", "", browser},
		{"SystemInfo.getInfo", "", browser},
		{"Tracing.start", "", browser},
		{"Memory.prepareForLeakDetection", "", browser},
		{"Extensions.loadUnpacked", "", browser},
		{"PWA.install", "", browser},
		{"Browser.close", "", task},
		{"Browser.crash", "", task},
		{"Target.setDiscoverTargets", "", task},
		{"Target.createBrowserContext", "", task},
		{"Target.disposeBrowserContext", `{"browserContextId":"C"}`, task},
		{"Target.inventedTomorrow", "", task},
		{"Target.createTarget", `{"url":"about:blank","browserContextId":"C"}`, foreign},
		{"Storage.getCookies", `{"browserContextId":"C"}`, foreign},
		{"Fetch.enable", "", "browser_route"},
		{"Network.setRequestInterception", "", "browser_route"},
	} {
		_, err := permit(act.Rules{}, c.method, c.params)
		checkRefused(t, err, c.method, c.reason, fault.ErrRefused)
	}
}

func TestCommandsOnTheTasksOwnTargetsAreAllowed(t *testing.T) {
	methods := []string{"Page.captureScreenshot", "DOM.getDocument", "Runtime.evaluate", "Debugger.enable", "Fetch.disable", "Network.enable", "Domain.inventedTomorrow"}
	for method := range handlers {
		methods = append(methods, method)
	}
	for _, method := range methods {
		if _, err := permit(act.Rules{}, method, `{}`); err != nil {
			t.Errorf("%s: %v", method, err)
		}
	}
}

func TestAMalformedCallIsNoRefusal(t *testing.T) {
	for _, c := range []Call{
		{Method: ""}, {Method: "Page"}, {Method: "Page."}, {Method: ".enable"}, {Method: "Page.enable.now"},
		{Method: "Page.enable", Params: json.RawMessage(`[]`)},
		{Method: "Page.enable", Params: json.RawMessage(`null`)},
		{Method: "Page.enable", Params: json.RawMessage(`{`)},
		{Method: "Page.enable", TargetID: "T", FrameID: "F"},
	} {
		if _, err := parseParams(c); !errors.Is(err, fault.ErrBadArguments) || errors.Is(err, fault.ErrRefused) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, empty := range []string{"", " \n", "{}"} {
		if p, err := parseParams(Call{Method: "Page.enable", Params: json.RawMessage(empty)}); err != nil || p == nil || len(p) != 0 {
			t.Errorf("the params %q are %v, %v", empty, p, err)
		}
	}
}

func TestWithoutScriptOnlyListedCommandsAreAllowed(t *testing.T) {
	withoutScript := act.Rules{EvaluateDisabled: true}
	for method, params := range map[string]string{
		"Runtime.evaluate":                      `{"expression":"1"}`,
		"Runtime.callFunctionOn":                "",
		"Runtime.compileScript":                 "",
		"Runtime.addBinding":                    "",
		"Page.addScriptToEvaluateOnNewDocument": "",
		"Page.setDocumentContent":               "",
		"Page.createIsolatedWorld":              "",
		"Page.reload":                           `{"scriptToEvaluateOnLoad":""}`,
		"Page.navigate":                         `{"url":"javascript:alert(1)"}`,
		"Target.createTarget":                   `{"url":"data:text/html,<script>1</script>"}`,
		"Network.loadNetworkResource":           `{"url":"blob:https://example.com/1"}`,
		"DOM.setOuterHTML":                      "",
		"DOM.setAttributeValue":                 "",
		"DOM.undo":                              "",
		"Fetch.continueRequest":                 "",
		"Fetch.fulfillRequest":                  "",
		"Network.setRequestInterception":        "",
		"Debugger.evaluateOnCallFrame":          "",
		"HeapProfiler.enable":                   "",
		"ServiceWorker.enable":                  "",
		"Domain.inventedTomorrow":               "",
		"Runtime.inventedTomorrow":              "",
	} {
		_, err := permit(withoutScript, method, params)
		checkRefused(t, err, method, "it can run script", fault.ErrEvaluateDisabled)
		if !strings.HasSuffix(err.Error(), fault.ErrEvaluateDisabled.Error()) {
			t.Errorf("%s: %v does not name the setting", method, err)
		}
	}
	for method, params := range map[string]string{
		"Page.reload": `{"ignoreCache":true}`, "Page.navigate": `{"url":"https://example.com"}`, "Target.createTarget": `{"url":"about:blank"}`,
		"DOM.querySelector": "", "CSS.getComputedStyleForNode": "", "Input.dispatchKeyEvent": "", "Runtime.terminateExecution": "",
		"Page.handleJavaScriptDialog": `{"accept":true}`, "Target.getTargets": "",
	} {
		if _, err := permit(withoutScript, method, params); err != nil {
			t.Errorf("%s %s: %v", method, params, err)
		}
	}
}

func TestURLsAreLoadedOnlyIfTheirSchemeIsAllowed(t *testing.T) {
	withFiles, err := scheme.New([]string{"file"})
	if err != nil {
		t.Fatal(err)
	}
	for method := range loadsURL {
		for _, url := range []string{"file:///etc/passwd", " FILE:///etc/passwd", "chrome://version", "view-source:file:///etc/passwd", "no scheme"} {
			raw, err := json.Marshal(map[string]string{"url": url})
			if err != nil {
				t.Fatal(err)
			}
			_, err = permit(act.Rules{}, method, string(raw))
			checkRefused(t, err, method, "", fault.ErrRefused)
		}
		for url, rules := range map[string]act.Rules{"https://example.com": {}, "about:blank": {}, "file:///etc/hosts": {Schemes: withFiles}} {
			if _, err := permit(rules, method, `{"url":"`+url+`"}`); err != nil {
				t.Errorf("%s of %s: %v", method, url, err)
			}
		}
	}
	if _, err := permit(act.Rules{}, "Network.getCookies", `{"url":"file:///"}`); err != nil {
		t.Errorf("a command that loads nothing: %v", err)
	}
}

func TestPathsAreConfinedAndReplacedByTheirRealOnes(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file, link := filepath.Join(root, "file"), filepath.Join(root, "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	roots, err := upload.New([]string{root})
	if err != nil {
		t.Fatal(err)
	}
	uploads, err := roots.Without(nil, func() []string { return nil })
	if err != nil {
		t.Fatal(err)
	}
	withFiles, err := scheme.New([]string{"file"})
	if err != nil {
		t.Fatal(err)
	}
	rules := act.Rules{Uploads: uploads, Schemes: withFiles}
	for _, c := range []struct{ method, params, want string }{
		{"DOM.setFileInputFiles", `{"files":["` + link + `"]}`, `{"files":["` + file + `"]}`},
		{"Page.handleFileChooser", `{"files":["` + link + `"]}`, `{"files":["` + file + `"]}`},
		{"Input.dispatchDragEvent", `{"data":{"files":["` + link + `"]}}`, `{"data":{"files":["` + file + `"]}}`},
		{"Page.setDownloadBehavior", `{"downloadPath":"` + root + `/."}`, `{"downloadPath":"` + root + `"}`},
		{"Browser.setDownloadBehavior", `{"behavior":"deny"}`, `{"behavior":"deny"}`},
		{"Input.dispatchDragEvent", `{"data":{"items":[]}}`, `{"data":{"items":[]}}`},
	} {
		p, err := permit(rules, c.method, c.params)
		got, _ := json.Marshal(p) // raw JSON always encodes
		if err != nil || string(got) != c.want {
			t.Errorf("%s %s becomes %s, %v", c.method, c.params, got, err)
		}
	}
	for method, params := range map[string]string{
		"DOM.setFileInputFiles":       `{"files":["/etc/hosts"]}`,
		"Input.dispatchDragEvent":     `{"data":{"files":["/etc/hosts"]}}`,
		"Browser.setDownloadBehavior": `{"downloadPath":"/etc"}`,
		"Page.setDownloadBehavior":    `{"behavior":"default"}`,
	} {
		if _, err := permit(rules, method, params); !errors.Is(err, fault.ErrRefused) {
			t.Errorf("%s %s: %v", method, params, err)
		}
	}
	for method, params := range map[string]string{
		"DOM.setFileInputFiles": `{"files":"/etc/hosts"}`, "Input.dispatchDragEvent": `{"data":7}`,
	} {
		if _, err := permit(rules, method, params); !errors.Is(err, fault.ErrBadArguments) {
			t.Errorf("%s %s: %v", method, params, err)
		}
	}
	_, err = permit(act.Rules{Uploads: uploads}, "Input.dispatchDragEvent", `{"data":{"files":["`+file+`"]}}`)
	checkRefused(t, err, "Input.dispatchDragEvent", "give them to a field with DOM.setFileInputFiles", fault.ErrRefused)
}
