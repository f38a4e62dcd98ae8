package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// promptPage has a button whose first click does what the test says; "ended" becomes what came of that.
const promptPage = `<style>body { margin: 0; min-height: 600px }</style><button id=b>go</button><script>
globalThis.clicks = 0;
globalThis.prepare = does => {
	globalThis.ended = new Promise(end => {
		b.onclick = () => {
			if (clicks++ > 0) return;
			try { Promise.resolve(does()).then(v => end("yes: " + v), e => end("no: " + e.name)) } catch (e) { end("no: " + e.name) }
		};
	});
};
</script>`

// promptKinds are what makes a browser ask a person, and what the page gets; "?": nothing, it waits forever.
var promptKinds = map[string]struct{ does, ends string }{
	"Geolocation":        {`new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, e => no({name: e.code})))`, "no: 1"},
	"Notifications":      {`Notification.requestPermission()`, "yes: denied"},
	"Camera":             {`navigator.mediaDevices.getUserMedia({video: true, audio: true})`, "no: "},
	"Clipboard":          {`navigator.clipboard.readText()`, "no: NotAllowedError"},
	"Windows":            {`getScreenDetails()`, "no: NotAllowedError"},
	"Idle":               {`IdleDetector.requestPermission()`, "yes: denied"},
	"StoredPassword":     {`navigator.credentials.store(new PasswordCredential({id: "ada", password: "secret"}))`, "yes: "},
	"Screen":             {`navigator.mediaDevices.getDisplayMedia({video: true})`, "no: NotAllowedError"},
	"MIDI":               {`navigator.requestMIDIAccess({sysex: true})`, "no: NotAllowedError"},
	"USB":                {`navigator.usb.requestDevice({filters: []})`, "?"},
	"HID":                {`navigator.hid.requestDevice({filters: []})`, "?"},
	"Serial":             {`navigator.serial.requestPort()`, "?"},
	"Bluetooth":          {`navigator.bluetooth.requestDevice({acceptAllDevices: true})`, "no: "},
	"OpenFile":           {`showOpenFilePicker()`, "no: AbortError"},
	"SaveFile":           {`showSaveFilePicker()`, "no: AbortError"},
	"Directory":          {`showDirectoryPicker()`, "no: AbortError"},
	"Payment":            {`new PaymentRequest([{supportedMethods: "https://localhost/pay"}], {total: {label: "x", amount: {currency: "EUR", value: "1"}}}).show()`, "no: ReferenceError"},
	"DigitalCredential":  {`navigator.credentials.get({digital: {requests: [{protocol: "openid4vp-v1-unsigned", data: {}}]}})`, "no: NotSupportedError"},
	"FederatedLogin":     {`navigator.credentials.get({identity: {providers: [{configURL: location.origin + "/login.json", clientId: "1"}]}})`, "?"},
	"Fullscreen":         {`document.documentElement.requestFullscreen()`, "yes: "},
	"PointerLock":        {`b.requestPointerLock()`, "yes: "},
	"KeyboardLock":       {`navigator.keyboard.lock()`, "yes: "},
	"Print":              {`print()`, "yes: "},
	"ProtocolHandler":    {`navigator.registerProtocolHandler("web+test", location.origin + "/?%s")`, "yes: "},
	"EyeDropper":         {`new EyeDropper().open()`, "?"},
	"PictureInPicture":   {`documentPictureInPicture.requestWindow()`, "yes: "},
	"ColourChooser":      {`document.body.append(Object.assign(document.createElement("input"), {type: "color", id: "c"})), c.showPicker()`, "yes: "},
	"StorageAccess":      {`document.requestStorageAccess()`, "yes: "},
	"PersistentStorage":  {`navigator.storage.persist()`, "yes: "},
	"LocalFonts":         {`queryLocalFonts()`, "yes: "},
	"ConditionalPasskey": {`navigator.credentials.get({mediation: "conditional", publicKey: {challenge: new Uint8Array(16)}})`, "?"},
}

// In a browser without a window, the next click arrives, whatever the page asked for.
func TestPromptOf(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": promptPage}, host.TaskOptions{})
	for name, tc := range promptKinds {
		t.Run(name, func(t *testing.T) {
			w := w.in(t)
			tab := w.prompting(tc.does)
			if _, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
				t.Fatal(err)
			}
			if tc.ends != "?" {
				ended, err := tab.Evaluate(w.unhurried(), "ended", &host.EvaluateOptions{AwaitPromise: true})
				if err != nil || !strings.HasPrefix(string(ended.Value), `"`+tc.ends) {
					t.Errorf("the page got %s, %v; want %s", ended.Value, err, tc.ends)
				}
			}
			w.stillClicks(tab)
		})
	}
}

// prompting opens a tab whose button does something at its first click.
func (w *world) prompting(does string) host.Tab {
	w.t.Helper()
	tab, err := w.OpenTab(w.ctx, w.url("localhost", "/page"))
	if err == nil {
		_, err = tab.Evaluate(w.ctx, "prepare(() => ("+does+")); 0", nil)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = tab.Close(w.ctx) })
	return tab
}

// stillClicks checks that the button of a tab gets further clicks after the first, and keys.
func (w *world) stillClicks(tab host.Tab) {
	w.t.Helper()
	for range 3 {
		if _, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
			w.t.Errorf("the next click: %v", err)
		}
	}
	if _, err := tab.Press(w.unhurried(), "a", nil); err != nil {
		w.t.Errorf("the next key: %v", err)
	}
	clicks, err := tab.Evaluate(w.ctx, "clicks", nil)
	if err != nil || string(clicks.Value) != "4" {
		w.t.Errorf("the page counted %s clicks, %v", clicks.Value, err)
	}
}

// deaf clicks the button of a tab until the browser shows a dialog that takes the click.
func (w *world) deaf(tab host.Tab) {
	w.t.Helper()
	var err error
	for err == nil { // it takes the browser a moment to ask
		_, err = tab.Click(w.unhurried(), host.BySelector("#b"), nil)
	}
	wantError(w.t, err, host.ErrNotDelivered)
}

// deafUntilLoaded clicks until the browser drops the input, and loads the page to end that.
func (w *world) deafUntilLoaded(tab host.Tab) {
	w.t.Helper()
	w.deaf(tab)
	loaded, err := tab.Navigate(w.ctx, w.url("localhost", "/page"), nil)
	if err != nil || !loaded.InputRecovered {
		w.t.Errorf("%+v, %v", loaded, err)
	}
	if _, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
		w.t.Errorf("after loading the page: %v", err)
	}
}

// No switch keeps Chromium from asking about a passkey.
// passkeys are how a page asks for one, and for the one that it has made.
var passkeys = map[string]string{
	"get": `navigator.credentials.get({publicKey: {challenge: new Uint8Array(16), timeout: 600000}})`,
	"create": `navigator.credentials.create({publicKey: {challenge: new Uint8Array(16), rp: {name: "x"}, timeout: 600000,
		user: {id: new Uint8Array(4), name: "n", displayName: "n"}, pubKeyCredParams: [{type: "public-key", alg: -7}],
		authenticatorSelection: {residentKey: "required", userVerification: "required"}}})`,
}

func TestPromptOfAPasskey(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": promptPage}, host.TaskOptions{})
	for name, does := range passkeys {
		t.Run(name, func(t *testing.T) {
			w := w.in(t)
			tab := w.prompting(does)
			w.deafUntilLoaded(tab)
		})
	}
}

// Nobody sees a browser that the host has started without a window: a page that asks for a passkey waits, and the tab
// gets its input. An agent that may use raw commands can give the tab an authenticator, which answers.
func TestAPasskeyWithoutAWindow(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	task, err := newHost(t, host.Options{}).Launch(ctx, t.Name(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{site: serve(ctx, t, map[string]string{"/page": promptPage}), Task: task, t: t, ctx: ctx}
	for name, does := range passkeys {
		t.Run(name, func(t *testing.T) {
			w := w.in(t)
			tab := w.prompting(does)
			if _, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
				t.Fatal(err)
			}
			w.stillClicks(tab)
		})
	}
	t.Run("in a tab that a page opens", func(t *testing.T) {
		w := w.in(t)
		opener := w.prompting(`open("/page")`)
		acted, err := opener.Click(ctx, host.BySelector("#b"), nil)
		if err != nil || len(acted.NewTabs) != 1 {
			t.Fatalf("%s, %v", shared.Dump(acted), err)
		}
		tab := w.Tab(acted.NewTabs[0].TargetID)
		if _, err := tab.Evaluate(ctx, "prepare(() => ("+passkeys["get"]+")); 0", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := tab.Click(ctx, host.BySelector("#b"), nil); err != nil {
			t.Fatal(err)
		}
		w.stillClicks(tab)
	})
	tab := w.prompting("(async () => { await " + passkeys["create"] + "; return (await " + passkeys["get"] + ").type })()")
	for _, call := range []host.CDPCall{{Method: "WebAuthn.enable"}, {Method: "WebAuthn.addVirtualAuthenticator", Params: []byte(`{"options": {"protocol": "ctap2",
		"transport": "internal", "hasResidentKey": true, "hasUserVerification": true, "isUserVerified": true, "automaticPresenceSimulation": true}}`)}} {
		if _, err := task.CDP(ctx, call); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tab.Click(ctx, host.BySelector("#b"), nil); err != nil {
		t.Fatal(err)
	}
	ended, err := tab.Evaluate(ctx, "ended", &host.EvaluateOptions{AwaitPromise: true})
	if err != nil || string(ended.Value) != `"yes: public-key"` {
		t.Errorf("the page got %s, %v", ended.Value, err)
	}
}

func TestPromptOfHTTPAuthentication(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": promptPage}, host.TaskOptions{})
	w.server.Handle("/private", func(rw http.ResponseWriter, r *http.Request) {
		if user, password, ok := r.BasicAuth(); ok && user == "ada" && password == "secret" {
			_, _ = fmt.Fprint(rw, "welcome")
			return
		}
		rw.Header().Set("WWW-Authenticate", `Basic realm="private"`)
		rw.WriteHeader(http.StatusUnauthorized)
	})
	tab := w.prompting(`fetch("/private")`)
	w.deaf(tab)
	if _, err := tab.Evaluate(w.ctx, "stop()", nil); err != nil {
		t.Fatal(err)
	}
	for err := error(host.ErrNotDelivered); err != nil; { // it takes the browser a moment to close the dialog
		if _, err = tab.Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
			wantError(t, err, host.ErrNotDelivered)
		}
	}
	tab = w.prompting(`fetch("/private")`)
	w.deafUntilLoaded(tab)
	_, err := tab.Navigate(w.ctx, w.url("localhost", "/private"), nil)
	if wantError(t, err, host.ErrNavigate); !strings.Contains(err.Error(), "load http://user:password@host/") {
		t.Errorf("it does not say how to log in: %v", err)
	}
	private := strings.Replace(w.url("localhost", "/private"), "http://", "http://ada:secret@", 1)
	if _, err := tab.Navigate(w.ctx, private, nil); err != nil {
		t.Fatal(err)
	}
	text, err := tab.Text(w.ctx, nil)
	if err != nil || text.Text != "welcome" {
		t.Errorf("%+v, %v", text, err)
	}
}

func TestPromptOfACertificate(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": promptPage}, host.TaskOptions{})
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	tab := w.prompting(`location = "` + server.URL + `"`)
	acted, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil)
	if err != nil || acted.Navigated != server.URL+"/" || !strings.Contains(acted.NavigationFailed, "ERR_CERT") {
		t.Errorf("%s, %v", shared.Dump(acted), err)
	}
	if _, err := tab.Navigate(w.ctx, server.URL, nil); err == nil || !strings.Contains(err.Error(), "ERR_CERT") {
		t.Errorf("got %v", err)
	}
	if _, err := tab.Navigate(w.ctx, w.url("localhost", "/page"), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
		t.Error(err)
	}
}

// lockedPDF cannot be opened with an empty password.
const lockedPDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
4 0 obj<</Filter/Standard/V 1/R 2/P -4/O(01234567890123456789012345678901)/U(01234567890123456789012345678901)>>endobj
trailer<</Root 1 0 R/Encrypt 4 0 R/ID[(0123456789012345)(0123456789012345)]/Size 5>>
`

func TestPromptOfAPDFPassword(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": promptPage}, host.TaskOptions{})
	w.server.Handle("/locked.pdf", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/pdf")
		_, _ = fmt.Fprint(rw, lockedPDF)
	})
	tab := w.prompting("0")
	if _, err := tab.Navigate(w.ctx, w.url("localhost", "/locked.pdf"), nil); err != nil {
		t.Fatal(err)
	}
	reading, err := tab.Read(w.ctx, nil)
	if err != nil || !strings.Contains(reading.Text, `dialog "Password required"`) {
		t.Fatalf("%+v, %v", reading, err)
	}
	password := host.ByRole("textbox", "")
	if _, err := tab.Type(w.unhurried(), password, "wrong", nil); err != nil {
		t.Error(err)
	}
	if _, err := tab.Press(w.unhurried(), "Enter", nil); err != nil { // in the viewer, which has the focus
		t.Error(err)
	}
	if err := tab.Wait(w.unhurried(), host.ByText("Incorrect password"), host.WaitVisible); err != nil {
		t.Error(err)
	}
	if _, err := tab.Navigate(w.ctx, w.url("localhost", "/page"), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
		t.Error(err)
	}
}

func TestPromptOfASavedPassword(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": promptPage + `<form method=post action="/in"><input name=user autocomplete=username id=u><input name=pass type=password id=p><button id=in>in</button></form>`,
		"/in":   promptPage,
	}, host.TaskOptions{})
	tab := w.prompting("0")
	for field, text := range map[string]string{"#u": "ada", "#p": "secret word"} {
		if _, err := tab.Type(w.unhurried(), host.BySelector(field), text, nil); err != nil {
			t.Fatal(err)
		}
	}
	acted, err := tab.Click(w.unhurried(), host.BySelector("#in"), nil)
	if err != nil || acted.Navigated != w.url("localhost", "/in") {
		t.Fatalf("%s, %v", shared.Dump(acted), err)
	}
	if err := tab.WaitLoad(w.ctx, host.WaitLoad); err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Evaluate(w.ctx, "prepare(() => 0); clicks = 1; 0", nil); err != nil {
		t.Fatal(err)
	}
	w.stillClicks(tab)
}

func TestPromptOfAnExtension(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": promptPage}, host.TaskOptions{})
	w.server.Handle("/x.crx", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/x-chrome-extension")
		_, _ = fmt.Fprint(rw, "Cr24\x03\x00\x00\x00\x00\x00\x00\x00")
	})
	tab := w.prompting(`location = "/x.crx"`)
	acted, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil)
	if err != nil || len(acted.Downloads) != 1 {
		t.Errorf("%s, %v", shared.Dump(acted), err)
	}
	w.stillClicks(tab)
}

// A profile whose browser was killed has pages that it could restore.
func TestPromptToRestorePages(t *testing.T) {
	t.Parallel()
	profile := t.TempDir()
	killed, err := browser.Launch(t.Context(), browser.LaunchOptions{UserDataDir: profile, Transport: browser.TransportPort})
	if err != nil {
		t.Fatal(err)
	}
	first := newWorldOn(t, killed.WebSocketURL(), host.Options{}, map[string]string{"/page": promptPage}, host.TaskOptions{Scope: host.ScopeBrowser})
	first.open("/page")
	killed.Kill()
	<-killed.Done()
	_ = killed.Close(t.Context()) // it says that it was killed
	next, err := browser.Launch(t.Context(), browser.LaunchOptions{UserDataDir: profile, Transport: browser.TransportPort})
	if err != nil {
		t.Fatal(err)
	}
	shared.CloseAfter(t, next)
	h := newHost(t, host.Options{})
	w := &world{site: first.site, Task: attachAs(t, h, t.Name()+"-next", next.WebSocketURL(), host.TaskOptions{Scope: host.ScopeBrowser}), t: t, ctx: first.ctx, host: h}
	tab := w.prompting("0")
	if _, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
		t.Fatal(err)
	}
	w.stillClicks(tab)
	want(t, "tabs", len(w.Tabs()), 2)
}

func TestPromptAnsweredInAdvance(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": promptPage}, host.TaskOptions{})
	grant := params("permission", map[string]string{"name": "notifications"}, "setting", "granted", "origin", w.url("localhost", ""))
	if _, err := w.CDP(w.ctx, host.CDPCall{Method: "Browser.setPermission", Params: grant}); err != nil {
		t.Fatal(err)
	}
	tab := w.prompting(`Notification.requestPermission()`)
	if _, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
		t.Fatal(err)
	}
	ended, err := tab.Evaluate(w.unhurried(), "ended", &host.EvaluateOptions{AwaitPromise: true})
	if err != nil || string(ended.Value) != `"yes: granted"` {
		t.Errorf("the page got %s, %v", ended.Value, err)
	}
}

func TestPromptOfStorageAccessInAFrame(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page":  `<button id=b onclick="clicks++">b</button><script>let clicks = 0</script><iframe src="{{127.0.0.1}}/frame"></iframe>`,
		"/frame": `<button id=in onclick="document.requestStorageAccess().then(() => done('yes'), e => done(e.name))">in</button><script>globalThis.ended = new Promise(r => globalThis.done = r)</script>`,
	}, host.TaskOptions{})
	w.open("/page")
	tab := w.Tab("")
	if _, err := tab.Click(w.ctx, host.BySelector("#in"), nil); err != nil {
		t.Fatal(err)
	}
	s := w.await("the frame", func(s *host.Snapshot) bool { return len(s.Page().RawFrameTree.Children) == 1 })
	frame := host.Locator{FrameID: s.Page().RawFrameTree.Children[0].FrameID}
	got, err := tab.Evaluate(w.ctx, "ended", &host.EvaluateOptions{AwaitPromise: true, Locator: frame})
	if err != nil || string(got.Value) != `"yes"` {
		t.Errorf("the frame got %s, %v", got.Value, err)
	}
	if _, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil); err != nil || w.evaluate("clicks") != "1" {
		t.Errorf("the next click: %v, the page counted %s", err, w.evaluate("clicks"))
	}
}
