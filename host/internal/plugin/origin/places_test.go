package origin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func place(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, wasm, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func link(t *testing.T, to, path string) string {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAFileComesFromAnAllowedPlace(t *testing.T) {
	dir := t.TempDir()
	allowed, single := filepath.Join(dir, "allowed"), place(t, filepath.Join(dir, "single.wasm"))
	inside := place(t, filepath.Join(allowed, "sub", "policy.wasm"))
	outside := place(t, filepath.Join(dir, "elsewhere", "policy.wasm"))
	beside := place(t, filepath.Join(dir, "allowed-not", "policy.wasm"))
	cases := []struct {
		name, path string
		want       Step // empty: it is taken
	}{
		{"in a directory below", inside, ""},
		{"the named file", single, ""},
		{"a link within the directory, as of a ConfigMap", link(t, "sub/policy.wasm", filepath.Join(allowed, "current.wasm")), ""},
		{"elsewhere", outside, StepSource},
		{"in a directory whose name begins alike", beside, StepSource},
		{"up and out again", allowed + "/../elsewhere/policy.wasm", StepSource},
		{"below a file", single + "/policy.wasm", StepRead},
		{"a link that leads out", link(t, outside, filepath.Join(allowed, "out.wasm")), StepRead},
		{"a directory that leads out", filepath.Join(link(t, filepath.Dir(outside), filepath.Join(allowed, "away")), "policy.wasm"), StepRead},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m, err := Fetch(t.Context(), Spec{Path: c.path, Sources: []string{"https://example.com/x", allowed, single}, Limit: 1000}, Options{})
			switch {
			case c.want == "" && (err != nil || string(m.Wasm) != string(wasm)):
				t.Errorf("got %+v, %v", m, err)
			case c.want != "" && stepOf(t, err).Step != c.want:
				t.Errorf("error is %v, want one at %s", err, c.want)
			}
		})
	}
}

func TestBytesComeFromNowhereUnlessTheyAreShipped(t *testing.T) {
	for _, c := range []struct {
		name    string
		shipped string
		sources []string
		taken   bool
	}{
		{"given", "", []string{"shipped", "/"}, false},
		{"shipped", "shipped", []string{"/etc", "shipped"}, true},
		{"shipped, where that is not allowed", "shipped", []string{"/"}, false},
	} {
		_, err := Fetch(t.Context(), Spec{Bytes: wasm, Shipped: c.shipped, Sources: c.sources, Limit: 1000}, Options{})
		if taken := err == nil; taken != c.taken || !taken && stepOf(t, err).Step != StepSource {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestAnAddressIsBelowAnAllowedOne(t *testing.T) {
	server := serve(t, wasm)
	host := strings.TrimPrefix(server.URL, "https://")
	cases := []struct {
		name, url, allowed string
		want               Step
	}{
		{"the address itself", "/module.wasm", server.URL + "/module.wasm", ""},
		{"below the host", "/module.wasm?token=HUNTER2", server.URL, ""},
		{"its host in capitals", "/module.wasm", "https://" + strings.ToUpper(host), ""},
		{"a redirect within", "/moved.wasm", server.URL + "/", ""},
		{"another directory", "/module.wasm", server.URL + "/modules", StepSource},
		{"a directory whose name begins alike", "/module.wasm", server.URL + "/mod", StepSource},
		{"another port", "/module.wasm", "https://127.0.0.1/", StepSource},
		{"up and out again", "/modules/../module.wasm", server.URL + "/modules", StepSource},
		{"the same, escaped", "/modules/%2e%2e%2fmodule.wasm", server.URL + "/modules", StepSource},
		{"a redirect that leads out", "/moved.wasm", server.URL + "/moved.wasm", StepSource},
		{"a file alone", "/module.wasm", "/", StepSource},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := server.options(t)
			if _, err := Fetch(t.Context(), Spec{URL: server.URL + "/module.wasm", SHA256: hashOf(wasm), Limit: 1000}, o); err != nil {
				t.Fatal(err) // it is kept now, which proves nothing of where it came from
			}
			m, err := Fetch(t.Context(), Spec{URL: server.URL + c.url, SHA256: hashOf(wasm), Sources: []string{c.allowed}, Limit: 1000}, o)
			switch {
			case c.want == "" && (err != nil || string(m.Wasm) != string(wasm)):
				t.Errorf("got %+v, %v", m, err)
			case c.want != "" && (stepOf(t, err).Step != c.want || strings.Contains(err.Error(), "HUNTER2")):
				t.Errorf("error is %v, want one at %s", err, c.want)
			}
		})
	}
}

func TestWhoGaveBytesCanNotChangeThemAfterwards(t *testing.T) {
	mine := append([]byte{}, wasm...)
	m, err := Fetch(t.Context(), Spec{Bytes: mine, SHA256: hashOf(wasm), Limit: 1000}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	mine[0] = 'X'
	if hashOf(m.Wasm) != m.SHA256 {
		t.Error("the module is not the one that was verified any more")
	}
}
