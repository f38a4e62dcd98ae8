//go:build unix

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// sampleShop is the site of the sample.
const sampleShop = `<!doctype html><title>Shop</title><label>Name <input id=name></label>
<button id=buy onclick="confirm('Buy?')">Buy</button>`

// fenceMark is drawn at random for each result.
var fenceMark = regexp.MustCompile(`untrusted [a-z0-9]{10}>`)

// What docs/agents.md shows of a shell is what the shell shows.
func TestTheSampleForAgentsIsWhatIsPrinted(t *testing.T) {
	page, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	_, sample, found := strings.Cut(string(page), "```console\n$ hermes-cdp browser navigate ")
	sample, _, ends := strings.Cut("$ hermes-cdp browser navigate "+sample, "```\n")
	if !found || !ends {
		t.Fatal("the sample is missing")
	}

	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(sampleShop))
	}))
	defer site.Close()
	s := newShell(t)
	d, at := s.startDaemon("--set", "browser.network.allow=[all]", "--set", "browser.args=[--ignore-certificate-errors,--host-resolver-rules=MAP shop.example "+site.Listener.Addr().String()+"]")
	var shown strings.Builder
	for line := range strings.Lines(sample) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand {
			continue
		}
		cmd := exec.CommandContext(t.Context(), "bash", "-c", command)
		cmd.Dir = s.dir
		cmd.Env = append(s.command().Env, "PATH="+filepath.Dir(s.binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, _ := cmd.CombinedOutput() // one of them fails
		shown.WriteString(line + string(out))
	}
	if got, want := fenceMark.ReplaceAllString(shown.String(), "untrusted>"), fenceMark.ReplaceAllString(sample, "untrusted>"); got != want {
		t.Errorf("the shell shows\n%s\nand the documentation\n%s", got, want)
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
}
