package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// adversary is Playwright on the browser of a test: a second client that dismisses native dialogs as soon as they open.
type adversary struct {
	t     *testing.T
	stdin io.WriteCloser
	said  chan adversarySaid
}

// adversarySaid is one line of adversary.mjs.
type adversarySaid struct {
	Attached *int   `json:"attached"` // pages, when it is ready
	Dialog   string `json:"dialog"`   // the type of a dialog that it dismissed
	Message  string `json:"message"`
}

// newAdversary attaches the second client and returns when it is ready. It leaves with the test, or by leave.
func newAdversary(t *testing.T, address string) *adversary {
	t.Helper()
	modules, err := filepath.Abs(filepath.Join("..", "..", "..", ".cache", "adversary"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(modules, "node_modules", "playwright-core")); err != nil {
		t.Fatalf("playwright-core is not installed, `make adversary` does it: %v", err)
	}
	command := exec.CommandContext(t.Context(), "node", filepath.Join("adversary", "adversary.mjs"), modules, address)
	command.Stderr, command.Env = os.Stderr, inTemporary(t)
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	a := &adversary{t: t, stdin: stdin, said: make(chan adversarySaid, 1024)}
	ended := make(chan error, 1)
	go func() {
		defer close(a.said)
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			var said adversarySaid
			if json.Unmarshal(lines.Bytes(), &said) == nil {
				a.said <- said
			}
		}
		ended <- command.Wait()
	}()
	t.Cleanup(func() {
		a.leave()
		for range a.said { // nobody reads any more
		}
		<-ended
	})
	if first := a.next(); first.Attached == nil {
		t.Fatalf("the adversary began with %+v", first)
	}
	return a
}

// next waits for what the adversary says.
func (a *adversary) next() adversarySaid {
	a.t.Helper()
	select {
	case said, ok := <-a.said:
		if !ok {
			a.t.Fatal("the adversary has ended")
		}
		return said
	case <-a.t.Context().Done():
		a.t.Fatal("the adversary said nothing")
		return adversarySaid{}
	}
}

// leave disconnects the adversary.
func (a *adversary) leave() { _ = a.stdin.Close() }
