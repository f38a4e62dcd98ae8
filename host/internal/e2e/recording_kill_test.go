//go:build unix

package e2e

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// recorderEnv makes the test binary a program that records into this directory.
const recorderEnv = "HERMES_CDP_TEST_RECORD"

// TestRecordUntilKilled is that program; without the variable it has nothing to do. It is ready when each of the
// colours has been recorded.
func TestRecordUntilKilled(t *testing.T) {
	dir := os.Getenv(recorderEnv)
	if dir == "" {
		return
	}
	h, err := host.New(context.Background(), &host.Options{Recording: host.RecordingOptions{Dir: dir}})
	if err != nil {
		t.Fatal(err)
	}
	task, err := h.Launch(context.Background(), "killed", nil, &host.TaskOptions{Record: true})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Task: task, t: t, ctx: context.Background(), host: h}
	page := "data:text/html," + strings.NewReplacer("%", "%25", "\n", " ").Replace(colours)
	if _, err := w.Tab("").Navigate(w.ctx, page, nil); err != nil { // its script has run
		t.Fatal(err)
	}
	for _, colour := range []string{"red", "lime", "blue"} {
		w.show(colour)
	}
	selfIsReady()
}

func TestARecordingPlaysThoughItsProcessWasKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := startSelf(t, "TestRecordUntilKilled", recorderEnv, dir)
	one := func() host.Recording {
		t.Helper()
		list, err := host.Recordings(host.RecordingOptions{Dir: dir})
		if err != nil || len(list) != 1 {
			t.Fatalf("the recordings are %s, %v", shared.Dump(list), err)
		}
		return list[0]
	}
	want(t, "the state, as another process sees it", one().State, host.RecordingRunning)
	if err := program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = program.Wait() // it was killed
	waitUntil(t, "the end of what it held", func() bool { return one().State == host.RecordingUnfinished })

	left := one()
	p := newPlayer(t, dir)
	p.load(left)
	want(t, "what playing ends with", p.play().Last, "blue")

	// The next host on the directory ends the file, so that it can be sought in.
	newHost(t, host.Options{Recording: host.RecordingOptions{Dir: dir}})
	waitUntil(t, "the end of the recording", func() bool { return one().State == host.RecordingFinished })
	ended := one()
	want(t, "ended by", ended.EndedBy, "killed")
	want(t, "frames", ended.Frames, left.Frames)
	if l := p.load(ended); l.Duration == nil || *l.Duration < left.Duration {
		t.Errorf("the player says %s, before it were %v s", shared.Dump(l), left.Duration)
	}
	if got := p.colours(); !strings.HasSuffix(got, "red lime blue") {
		t.Errorf("seeking shows %s", got)
	}
}
