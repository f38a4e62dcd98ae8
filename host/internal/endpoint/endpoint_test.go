package endpoint

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// profileOf makes this machine's user one whose Chrome has written a port into its profile.
func profileOf(t *testing.T, content string) {
	t.Helper()
	home := t.TempDir()
	dir := map[string]string{"darwin": "Library/Application Support/Google/Chrome", "windows": `Google\Chrome\User Data`}[runtime.GOOS]
	if dir == "" {
		dir = ".config/google-chrome"
	}
	for name, value := range map[string]string{"HOME": home, "LocalAppData": home, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""} {
		t.Setenv(name, value)
	}
	if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, dir, "DevToolsActivePort"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Chrome in which a person has allowed remote debugging has no /json/version: its profile says where it is.
func TestABrowserWithoutDiscoveryIsFoundByItsProfile(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	profileOf(t, port+"\n/devtools/browser/an-id")
	want := "ws://127.0.0.1:" + port + "/devtools/browser/an-id"
	for _, endpoint := range []string{Running, " running ", port, "127.0.0.1:" + port, "localhost:" + port, server.URL, server.URL + "/json/version"} {
		if got, err := Resolve(t.Context(), endpoint); got != want || err != nil {
			t.Errorf("%s is %s, %v", endpoint, got, err)
		}
	}
}

// What a browser that was killed, or a hand, has left in a profile is not taken for a browser.
func TestWhatIsLeftInAProfileIsNoBrowser(t *testing.T) {
	closed := httptest.NewServer(nil)
	_, port, _ := net.SplitHostPort(closed.Listener.Addr().String())
	closed.Close()
	for _, content := range []string{port + "\n/devtools/browser/an-id", "", "x\n/devtools", "0\n/devtools", "9\n", "9"} {
		profileOf(t, content)
		if got, err := Resolve(t.Context(), Running); !errors.Is(err, fault.ErrNoBrowser) {
			t.Errorf("with %q in the profile the browser is at %q, %v", content, got, err)
		}
	}
}
