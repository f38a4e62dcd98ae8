//go:build unix

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/internal/book"
)

// What the book shows of a console is what a console shows: the commands of a page run in their order, in a directory
// of their own, with a browser for which every site is a shop. A block that cannot run says why.
func TestTheBookShowsWhatAConsoleShows(t *testing.T) {
	for name, page := range documents(t).Pages {
		if !slices.ContainsFunc(page.Blocks, isRun) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell(t)
			site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte(sampleShop))
			}))
			t.Cleanup(site.Close)
			s.env = []string{
				"HERMES_CDP_BROWSER_NETWORK_ALLOW=[all]", "XDG_RUNTIME_DIR=" + s.dir,
				"HERMES_CDP_BROWSER_ARGS=[--ignore-certificate-errors,--host-resolver-rules=MAP * " + site.Listener.Addr().String() + "]",
			}
			r := tutorialRun{shell: s, dir: t.TempDir(), modules: t.TempDir()}
			for _, block := range page.Blocks {
				if file, isFile := strings.CutPrefix(block.Mark, "file "); isFile {
					if err := os.WriteFile(filepath.Join(r.dir, file), []byte(block.Text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if isRun(block) {
					r.shows(t, block)
				}
			}
			if r.daemon != nil {
				if code := r.daemon.end(syscall.SIGTERM); code != exitOK {
					t.Errorf("the daemon ends with %d", code)
				}
			}
		})
	}
}

func isRun(b book.Block) bool { return b.Language == "console" && b.NotRun() == "" && b.RunBy() == "" }

// shows runs the commands of a block, and compares what they print with what the block has below them; where it has
// nothing, any output will do.
func (r *tutorialRun) shows(t *testing.T, block book.Block) {
	t.Helper()
	text := strings.ReplaceAll(block.Text, "\\\n", "")
	last := 0
	for _, step := range strings.Split("\n"+text, "\n$ ")[1:] {
		command, want, _ := strings.Cut(step, "\n")
		if other, background := strings.CutSuffix(command, " &"); background {
			r.starts(t, other)
			continue
		}
		// $? is that of the command before, which another shell ran.
		cmd := exec.CommandContext(t.Context(), "bash", "-uo", "pipefail", "-c", fmt.Sprintf("(exit %d)\n%s", last, command))
		cmd.Dir, cmd.Env = r.dir, r.environ()
		out, err := cmd.CombinedOutput()
		last = cmd.ProcessState.ExitCode()
		fails := strings.HasPrefix(want, "hermes-cdp: ")
		if got := strings.TrimRight(string(out), "\n"); fails != (err != nil) || want != "" && !matchesShown(strings.TrimRight(want, "\n"), got) {
			t.Errorf("line %d, $ %s\n%v\n%s\n--- and the page has\n%s", block.Line, command, err, got, want)
		}
	}
}

// starts runs a daemon, or something else, beside what follows.
func (r *tutorialRun) starts(t *testing.T, command string) {
	t.Helper()
	if strings.HasPrefix(command, "hermes-cdp ") && strings.Contains(command+" ", " run ") {
		r.start(t, command)
		return
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-c", "exec "+command)
	cmd.Dir, cmd.Env = r.dir, r.environ()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

// matchesShown compares an output with what a page has, where three dots stand for anything.
func matchesShown(want, got string) bool {
	parts := strings.Split(want, "...")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, `.*`) + `$`).MatchString(got)
}
