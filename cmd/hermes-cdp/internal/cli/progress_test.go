package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

func TestProgressIsALineNowAndThenWithoutATerminal(t *testing.T) {
	var out bytes.Buffer
	now := time.Now()
	p := newProgress("replaying", &out, false, func() time.Time { return now })
	p.At(1, 10) // what is soon over says nothing
	now = now.Add(progressEvery)
	p.At(4, 10)
	p.At(5, 10)
	now = now.Add(progressEvery)
	p.At(10, 10)
	p.At(0, 0) // of nothing
	p.End()
	if got, want := out.String(), "replaying: 40 %\nreplaying: 100 %\n"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

func TestProgressIsABarInATerminal(t *testing.T) {
	var out bytes.Buffer
	p := newProgress("replaying", &out, true, time.Now)
	p.At(50, 100)
	if shown := out.String(); !strings.Contains(shown, "replaying") || !strings.Contains(shown, "50%") {
		t.Errorf("it shows %q", shown)
	}
	p.End()
	shown := out.String()
	if !strings.HasSuffix(shown, "\r") || strings.Contains(shown, "\n") {
		t.Errorf("the bar is left: %q", shown)
	}
}

func TestProgressIsNotAmongWhatProgramsRead(t *testing.T) {
	var out bytes.Buffer
	p := (&App{Stderr: &out, JSON: true}).Progress("replaying")
	p.last = time.Time{}
	p.At(1, 2)
	p.End()
	if out.Len() > 0 || OnTerminal(io.Discard) {
		t.Errorf("it says %q", out.String())
	}
}
