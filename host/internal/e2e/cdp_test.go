package e2e

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// raw sends a raw command that must succeed and gives its result.
func (w *world) raw(c host.CDPCall) map[string]any {
	w.t.Helper()
	r, err := w.CDP(w.ctx, c)
	if err != nil {
		w.t.Fatalf("%s: %v", c.Method, err)
	}
	var result map[string]any
	if err := json.Unmarshal(r.Result, &result); err != nil {
		w.t.Fatalf("%s: %s: %v", c.Method, r.Result, err)
	}
	return result
}

// params writes the parameters of a raw command.
func params(pairs ...any) json.RawMessage {
	p := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		p[pairs[i].(string)] = pairs[i+1]
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return text
}

func TestARawCommandReachesTheFrameThatIsNamed(t *testing.T) {
	w := newWorld(t, framePages, host.TaskOptions{})
	w.openFrames()
	sessions := map[string]string{}
	for name, id := range w.frameIDs() {
		for range 2 {
			r, err := w.CDP(w.ctx, host.CDPCall{Method: "Runtime.evaluate", Params: params("expression", "who"), FrameID: id})
			if err != nil || string(r.Result) != `{"result":{"type":"string","value":"`+name+`"}}` || r.FrameID != id {
				t.Errorf("in %s: %s, %v", name, shared.Dump(r), err)
			}
			if before := sessions[name]; before != "" {
				want(t, "the session of the second command in "+name, r.SessionID, before)
			}
			sessions[name] = r.SessionID
		}
		call := w.raw(host.CDPCall{Method: "Runtime.callFunctionOn", Params: params("functionDeclaration", "() => who"), FrameID: id})
		want(t, "called in "+name, shared.Dump(call), `{"result":{"type":"string","value":"`+name+`"}}`)
	}
	want(t, "the session of two frames of one process", sessions["two"], sessions["two-local"])
	if sessions["one"] == sessions["two"] || sessions["one"] == sessions["local"] {
		t.Errorf("frames of different processes share a session: %v", sessions)
	}
	supervisor := map[string]bool{}
	for _, f := range w.Snapshot().Page().RawFrameTree.Children {
		supervisor[f.SessionID] = true
	}
	for name, session := range sessions {
		if supervisor[session] {
			t.Errorf("the session of %s is the supervisor's", name)
		}
	}
	// The frame, and not the page that it is in, is navigated.
	r := w.raw(host.CDPCall{Method: "Page.navigate", Params: params("url", w.url("localhost", "/empty")), FrameID: w.frameIDs()["local"]})
	if r["frameId"] != w.frameIDs()["local"] && r["errorText"] == nil {
		w.await("the frame's new document", func(*host.Snapshot) bool { return w.frameIDs()["local"] == "" })
	}
	want(t, "the page", w.evaluate("who"), `"top"`)
}

func TestARawCommandReachesWorkersAndTabs(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<script>worker = new Worker('/w.js'); worker.onmessage = () => report('runs')</script>`, "/w.js": `self.who = 'worker'; postMessage(1)`}, host.TaskOptions{})
	w.open("/page")
	w.reported("runs")
	worker := w.await("the worker", func(s *host.Snapshot) bool { return len(s.Targets) == 2 }).Targets[1]
	want(t, "type", worker.Type, "worker")
	r := w.raw(host.CDPCall{Method: "Runtime.evaluate", Params: params("expression", "who"), TargetID: worker.ID})
	want(t, "in the worker", shared.Dump(r), `{"result":{"type":"string","value":"worker"}}`)
	value, err := w.Tab(worker.ID).Evaluate(w.ctx, "who", nil)
	if err != nil || string(value.Value) != `"worker"` {
		t.Errorf("evaluate in the worker: %s, %v", value.Value, err)
	}
	_, err = w.Tab(worker.ID).Evaluate(within(t, w.ctx, short), "while (true) {}", nil)
	wantError(t, err, host.ErrTimeout)
	value, err = w.Tab(worker.ID).Evaluate(w.ctx, "who", nil)
	if err != nil || string(value.Value) != `"worker"` {
		t.Errorf("the worker after a loop: %s, %v", value.Value, err)
	}
	made := w.raw(host.CDPCall{Method: "Target.createTarget", Params: params("url", w.url("localhost", "/empty"))})["targetId"].(string)
	s := w.await("the new tab", func(s *host.Snapshot) bool {
		tab := s.Target(made)
		return tab != nil && tab.URL == w.url("localhost", "/empty")
	})
	want(t, "the first tab", s.Page().ID != made, true)
	want(t, "in the new tab", w.evaluateIn(made, "confirm.length + location.pathname"), `"0/empty"`)
	ids := []string{}
	for _, info := range w.raw(host.CDPCall{Method: "Target.getTargets"})["targetInfos"].([]any) {
		ids = append(ids, info.(map[string]any)["targetId"].(string))
	}
	for _, target := range w.Snapshot().Targets {
		if !slices.Contains(ids, target.ID) && target.Type == "page" {
			t.Errorf("Target.getTargets leaves %s out", target.ID)
		}
	}
	for _, id := range ids {
		if w.Snapshot().Target(id) == nil {
			t.Errorf("Target.getTargets lists %s, which is not the task's", id)
		}
	}
	w.raw(host.CDPCall{Method: "Target.activateTarget", TargetID: made})
	w.raw(host.CDPCall{Method: "Target.closeTarget", Params: params("targetId", made)})
	w.await("the end of the tab", func(s *host.Snapshot) bool { return s.Target(made) == nil })
}

func TestRawCommandsReachNothingOfOthers(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	other := attachAs(t, w.host, t.Name()+"/other", w.address, host.TaskOptions{Scope: host.ScopeContext})
	stranger := newRawClient(w.ctx, t, w.address).newTab()
	for _, id := range []string{other.Snapshot().Page().ID, stranger} {
		for _, c := range []host.CDPCall{
			{Method: "Target.closeTarget", Params: params("targetId", id)}, {Method: "Target.activateTarget", Params: params("targetId", id)},
			{Method: "Target.getTargetInfo", Params: params("targetId", id)}, {Method: "Target.getTargetInfo", TargetID: id},
			{Method: "Browser.getWindowForTarget", Params: params("targetId", id)}, {Method: "Runtime.evaluate", TargetID: id, Params: params("expression", "1")},
		} {
			if _, err := w.CDP(w.ctx, c); !errors.Is(err, host.ErrUnknownTarget) {
				t.Errorf("%s of another's target: %v", c.Method, err)
			}
		}
		if list := shared.Dump(w.raw(host.CDPCall{Method: "Target.getTargets"})); strings.Contains(list, id) {
			t.Errorf("Target.getTargets lists a target that is not the task's: %s", list)
		}
	}
	for _, c := range []host.CDPCall{
		{Method: "Browser.close"}, {Method: "Browser.crash"}, {Method: "Browser.getHistograms"}, {Method: "Browser.setWindowBounds"},
		{Method: "Target.setAutoAttach", Params: params("autoAttach", true, "waitForDebuggerOnStart", true, "flatten", true)},
		{Method: "Target.attachToTarget", Params: params("targetId", stranger, "flatten", true)}, {Method: "Target.attachToBrowserTarget"},
		{Method: "Target.detachFromTarget"}, {Method: "Target.sendMessageToTarget"}, {Method: "Target.exposeDevToolsProtocol"},
		{Method: "Target.createBrowserContext"}, {Method: "Target.disposeBrowserContext"}, {Method: "Target.setDiscoverTargets"},
		{Method: "Target.setRemoteLocations"}, {Method: "Tethering.bind"}, {Method: "SystemInfo.getInfo"}, {Method: "Tracing.start"},
		{Method: "Memory.simulatePressureNotification"}, {Method: "Page.waitForDebugger"},
		{Method: "Storage.getCookies", Params: params("browserContextId", "ANOTHER")}, {Method: "Target.createTarget", Params: params("url", "about:blank", "browserContextId", "ANOTHER")},
		{Method: "Page.navigate", Params: params("url", "chrome://quit")}, {Method: "Page.navigate", Params: params("url", " ABOUT:inducebrowsercrashforrealz")},
		{Method: "Target.createTarget", Params: params("url", "chrome://restart")},
	} {
		var refused *host.RefusedError
		_, err := w.CDP(w.ctx, c)
		if !errors.As(err, &refused) || !errors.Is(err, host.ErrRefused) || refused.Reason == "" || host.CodeOf(err) != host.ErrRefused {
			t.Errorf("%s: %v", c.Method, err)
		}
	}
	for _, c := range []host.CDPCall{{Method: "evaluate"}, {Method: "A.b.c"}, {Method: ".x"}, {Method: "Page.enable", Params: []byte("[1]")}, {Method: "Page.enable", Params: []byte("{")}, {Method: "Page.enable", Params: []byte("null")}, {Method: "Page.enable", TargetID: "a", FrameID: "b"}} {
		if _, err := w.CDP(w.ctx, c); !errors.Is(err, host.ErrBadArguments) {
			t.Errorf("%s %s: %v", c.Method, c.Params, err)
		}
	}
	_, err := w.CDP(w.ctx, host.CDPCall{Method: "No.such"})
	var protocol *host.ProtocolError
	if !errors.As(err, &protocol) || protocol.Code != -32601 || host.CodeOf(err) != host.ErrProtocol {
		t.Errorf("an unknown method: %v", err)
	}
	w.raw(host.CDPCall{Method: "Browser.getVersion"})
	w.raw(host.CDPCall{Method: "Browser.setDownloadBehavior", Params: params("behavior", "deny")})
	w.usable()
}

// domains are all of the protocol that a page's session may know.
var domains = strings.Fields(`Accessibility Animation Audits Autofill BackgroundService Browser CSS CacheStorage Cast Console DOM
	DOMDebugger DOMSnapshot DOMStorage Debugger DeviceAccess DeviceOrientation Emulation EventBreakpoints FedCm Fetch FileSystem
	HeadlessExperimental HeapProfiler IO IndexedDB Input Inspector LayerTree Log Media Memory Network Overlay PWA Page Performance
	PerformanceTimeline Preload Profiler Runtime Schema Security ServiceWorker Storage SystemInfo Target Tethering Tracing WebAudio
	WebAuthn`)

func TestAnAgentCanNotBlindTheSupervisor(t *testing.T) {
	w := newWorld(t, framePages, host.TaskOptions{})
	w.openFrames()
	for _, frame := range append([]string{""}, w.frameIDs()["local"], w.frameIDs()["one"]) {
		for _, domain := range domains {
			for _, verb := range []string{".enable", ".disable"} {
				// Many know no such command, which is as good.
				_, err := w.CDP(w.ctx, host.CDPCall{Method: domain + verb, FrameID: frame})
				if err != nil && !errors.Is(err, host.ErrProtocol) && !errors.Is(err, host.ErrRefused) {
					t.Errorf("%s%s: %v", domain, verb, err)
				}
			}
		}
	}
	for _, on := range []bool{true, false} {
		for _, domain := range []string{"Page", "Runtime", "Debugger", "DOM", "Network", "Inspector", "Log", "Network"} {
			w.raw(host.CDPCall{Method: domain + map[bool]string{true: ".enable", false: ".disable"}[on]})
		}
		w.evaluate("console.log('heard'); 0")
		w.await("the console", func(s *host.Snapshot) bool {
			n := 0
			for _, entry := range s.Console {
				if entry.Text == "heard" {
					n++
				}
			}
			return n == map[bool]int{true: 1, false: 2}[on]
		})
		w.start("globalThis.said = confirm('seen')")
		w.dialog()
		w.answer(host.DialogResponse{Accept: true})
		want(t, "the dialog", w.evaluate("said"), "true")
		w.evaluate("document.body.append(Object.assign(document.createElement('iframe'), {id: 'added" + shared.Dump(on) + "', src: '" + w.url("127.0.0.1", "/three") + "'})); 0")
		w.await("the new frame", func(s *host.Snapshot) bool {
			n := 0
			for _, f := range s.Page().RawFrameTree.Children {
				if f.URL == w.url("127.0.0.1", "/three") && f.IsOOPIF {
					n++
				}
			}
			return n == map[bool]int{true: 1, false: 2}[on]
		})
	}
	w.usable()
}

func TestATabThatAnAgentClosesOrCrashes(t *testing.T) {
	w := newWorldAlone(t, nil, host.TaskOptions{})
	w.open("/empty")
	_, err := w.CDP(w.ctx, host.CDPCall{Method: "Page.crash"})
	wantError(t, err, host.ErrTargetCrashed)
	w.usable()
	first := w.Snapshot().Page().ID
	second := w.raw(host.CDPCall{Method: "Target.createTarget"})["targetId"].(string)
	w.await("the second tab", func(s *host.Snapshot) bool { return s.Target(second) != nil && s.Target(second).Ready })
	if _, err := w.CDP(w.ctx, host.CDPCall{Method: "Page.close", TargetID: first}); err != nil && !errors.Is(err, host.ErrTargetGone) {
		t.Errorf("Page.close: %v", err)
	}
	w.await("the end of the first tab", func(s *host.Snapshot) bool { return s.Target(first) == nil })
	w.usable()
}

// With the Page domain enabled on the agent's session, a frame that goes with its dialog, and a task that ends with one
// open, would end the whole browser.
func TestAnAgentsSessionIsNoDangerToTheBrowser(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/page": `<iframe id=f src="{{127.0.0.1}}/inner"></iframe><iframe id=g src="/inner"></iframe>`, "/inner": ``}, host.TaskOptions{})
	for _, frame := range []string{"f", "g"} {
		w.open("/page")
		w.raw(host.CDPCall{Method: "Page.enable"})
		for _, f := range w.await("the frames", func(s *host.Snapshot) bool { return len(s.Page().RawFrameTree.Children) == 2 }).Page().RawFrameTree.Children {
			if strings.HasSuffix(f.URL, "/inner") && (frame == "f") == f.IsOOPIF {
				w.raw(host.CDPCall{Method: "Page.enable", FrameID: f.FrameID})
				if _, err := w.Tab("").Evaluate(w.ctx, "setTimeout(() => confirm('dies')); 0", &host.EvaluateOptions{Locator: host.InFrame(f.FrameID)}); err != nil && !errors.Is(err, host.ErrBlockedByDialog) {
					t.Fatal(err)
				}
			}
		}
		w.dialog()
		if frame == "f" { // the parent is in another process, so it can remove the frame
			client := newRawClient(w.ctx, t, w.address)
			client.evaluate(client.attach(w.Snapshot().Page().ID), "f.remove()")
			w.closed(1)
		} else {
			w.answer(host.DialogResponse{Accept: true})
		}
		w.usable()
	}
	w.start("confirm('open at the end')")
	w.dialog()
	if err := w.Task.Close(w.ctx); err != nil {
		t.Error(err)
	}
	want(t, "the browser lives", newRawClient(w.ctx, t, w.address).newTab() != "", true)
}

func TestWithoutEvaluateNoScriptRuns(t *testing.T) {
	t.Parallel()
	w := newWorldOn(t, common.Address(t), host.Options{EvaluateDisabled: true}, map[string]string{"/page": `<p id=p>text</p><iframe src="/inner"></iframe>`, "/inner": ``}, host.TaskOptions{})
	if err := commit(w.ctx, w.Tab(""), w.url("localhost", "/page")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Tab("").Evaluate(w.ctx, "report('ran')", nil); !errors.Is(err, host.ErrRefused) || host.CodeOf(err) != host.ErrEvaluateDisabled {
		t.Errorf("Evaluate: %v", err)
	}
	script := "javascript:fetch('" + w.url("127.0.0.1", "/report/ran") + "',{method:'POST',mode:'no-cors'})"
	for _, address := range []string{script, " " + script, "java\nscript:report('ran')", "JavaScript:report('ran')", "data:text/html,<script>fetch('" + w.url("127.0.0.1", "/report/ran") + "')</script>", "blob:null/1", "view-source:" + script} {
		if err := commit(w.ctx, w.Tab(""), address); !errors.Is(err, host.ErrEvaluateDisabled) {
			t.Errorf("Navigate to %q: %v", address, err)
		}
		for _, method := range []string{"Page.navigate", "Target.createTarget"} {
			if _, err := w.CDP(w.ctx, host.CDPCall{Method: method, Params: params("url", address)}); !errors.Is(err, host.ErrEvaluateDisabled) {
				t.Errorf("%s to %q: %v", method, address, err)
			}
		}
	}
	for _, c := range []host.CDPCall{
		{Method: "Runtime.evaluate", Params: params("expression", "report('ran')")}, {Method: "Runtime.callFunctionOn"}, {Method: "Runtime.compileScript"},
		{Method: "Runtime.runScript"}, {Method: "Runtime.awaitPromise"}, {Method: "Runtime.addBinding"}, {Method: "Runtime.queryObjects"},
		{Method: "Page.addScriptToEvaluateOnNewDocument", Params: params("source", "report('ran')")}, {Method: "Page.addScriptToEvaluateOnLoad"},
		{Method: "Page.setDocumentContent"}, {Method: "Page.reload", Params: params("scriptToEvaluateOnLoad", "report('ran')")}, {Method: "Page.createIsolatedWorld"},
		{Method: "Page.produceCompilationCache"}, {Method: "Page.addCompilationCache"}, {Method: "Debugger.enable"}, {Method: "Debugger.evaluateOnCallFrame"},
		{Method: "Debugger.setScriptSource"}, {Method: "Debugger.setVariableValue"}, {Method: "Debugger.setBreakpointByUrl"}, {Method: "DOM.setOuterHTML"},
		{Method: "DOM.setAttributeValue"}, {Method: "DOM.setAttributesAsText"}, {Method: "DOM.setNodeValue"}, {Method: "DOM.setNodeName"}, {Method: "DOM.undo"},
		{Method: "Fetch.enable"}, {Method: "Fetch.fulfillRequest"}, {Method: "Fetch.continueResponse"}, {Method: "Network.setRequestInterception"},
		{Method: "Network.continueInterceptedRequest"}, {Method: "ServiceWorker.deliverPushMessage"}, {Method: "HeapProfiler.getObjectByHeapObjectId"},
		{Method: "Console.enable"}, {Method: "NewDomain.ofTheFuture"}, {Method: "Page.newCommandOfTheFuture"},
	} {
		if _, err := w.CDP(w.ctx, c); !errors.Is(err, host.ErrEvaluateDisabled) {
			t.Errorf("%s: %v", c.Method, err)
		}
	}
	for _, c := range []host.CDPCall{
		{Method: "Page.getLayoutMetrics"}, {Method: "DOM.getDocument"}, {Method: "Page.getFrameTree"}, {Method: "Network.getCookies"}, {Method: "Page.reload"},
		{Method: "Page.navigate", Params: params("url", w.url("localhost", "/page?again"))}, {Method: "Target.getTargets"},
	} {
		w.raw(c)
	}
	want(t, "some script ran", w.hasReported("ran"), false)
}
