package agents

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// What fails without a script noticing is only known to the browser, which logs it: in a page, a frame of another
// process and a worker.
func TestTheConsoleHasWhatTheBrowserLogs(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	page := func(header, html string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Security-Policy", header)
			_, _ = w.Write([]byte(b.Expand(html)))
		}
	}
	b.Handle("/fails", page("script-src-elem 'self'", `<img src="/missing.png"><script>never = 1</script>
		<iframe src="{{127.0.0.1}}/framed"></iframe>`))
	b.Handle("/framed", page("connect-src 'self' http://127.0.0.1:1", `<img src="/missing-in-frame.png"><script>
		new Worker(URL.createObjectURL(new Blob(["fetch('http://127.0.0.1:2/in-worker').catch(() => 0)"])));
		fetch("http://127.0.0.1:1/refused").catch(() => 0);
		const old = new XMLHttpRequest; old.open("GET", "/framed", false); old.send();
	</script>`))
	u := b.newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/fails"})
	wanted := []string{
		"network error|404|/missing.png", "security error|Content Security Policy|/fails", "network error|404|/missing-in-frame.png",
		"security error|127.0.0.1:2/in-worker|", "network error|net::ERR_|127.0.0.1:1/refused",
	}
	missing := func(s *host.Snapshot) (list []string) {
		for _, w := range wanted {
			parts, found := strings.Split(w, "|"), false
			for _, m := range s.Console {
				found = found || m.From+" "+m.Type == parts[0] && strings.Contains(m.Text, parts[1]) && strings.Contains(m.Source, parts[2])
			}
			if !found {
				list = append(list, w)
			}
		}
		return list
	}
	if s, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool { return len(missing(s)) == 0 }); !ok {
		t.Fatalf("without %q: %s", missing(s), shared.Dump(s.Console))
	}
	r := u.good("browser_console", arguments{"tab": "t1"})
	want(t, r, "console_messages.0.type", `"error"`)
	if !strings.Contains(r.Text, "network error Failed to load resource") || !strings.Contains(r.Text, "/missing.png") {
		t.Error(r.Text)
	}
	for i := range 60 { // bounded as all messages are
		u.good("browser_evaluate", arguments{"expression": fmt.Sprintf("fetch('/none-%d').then(() => 0)", i)})
	}
	if s, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool { return s.ConsoleTotal >= 60 }); !ok || len(s.Console) > 100 {
		t.Errorf("%d are kept of %d", len(s.Console), s.ConsoleTotal)
	}
}

// An action says what failed during it, a few of many, and a reading does not say it again.
func TestAnActionSaysWhatTheBrowserLoggedMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	b.Handle("/lacks", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<img src="/missing.png"><button id=quiet>quiet</button><button id=asks onclick="for (let i = 0; i < 8; i++) {
			const r = new XMLHttpRequest(); r.open('GET', '/none-' + i + '?' + 'x'.repeat(1000), false); r.send() }">asks</button>`))
	})
	u := b.newUser(t, host.TaskOptions{})
	r := u.good("browser_navigate", arguments{"url": "{{localhost}}/lacks"})
	want(t, r, "browser_log.failures.0.from", `"network"`)
	want(t, r, "browser_log.failures.0.source", shared.Dump(b.URL("localhost", "/missing.png")))
	want(t, r, "browser_log.untrusted.fields.0", `"failures"`)
	want(t, u.good("browser_click", arguments{"selector": "#quiet"}), "browser_log", "null")
	r = u.good("browser_click", arguments{"selector": "#asks"})
	want(t, r, "browser_log.more", "3")
	if _, logged, _ := strings.Cut(r.Text, "the browser logged meanwhile:"); !strings.Contains(logged, "404") || len(logged) > 3000 ||
		!strings.Contains(logged, "and 3 more failures") {
		t.Errorf("the text is %s", r.Text)
	}
	want(t, u.good("browser_snapshot", nil), "browser_log", "null")
}
