package procgroup

import (
	"io"
	"testing"
)

func TestAGroupEndsWithTheProcessThatStartedIt(t *testing.T) {
	cmd := program("owner")
	lines := started(t, cmd, cmd.Start)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, lines)
	_ = cmd.Wait()
}
