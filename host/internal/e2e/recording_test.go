package e2e

import (
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestARecordingShowsWhatATabShowed(t *testing.T) {
	dir := t.TempDir()
	w := recordedWorld(t, map[string]string{"/colours": colours}, host.RecordingOptions{Dir: dir}, host.TaskOptions{})
	changed := w.host.RecordingsChanged()
	w.open("/colours")
	for _, colour := range []string{"red", "lime", "blue"} {
		w.show(colour)
	}
	<-changed
	running := w.recordings()
	if len(running) != 1 || running[0].State != host.RecordingRunning || running[0].TaskID != w.ID() || running[0].Frames < 3 {
		t.Fatalf("while it runs: %s", shared.Dump(running))
	}
	want(t, "recorded", w.Recorded(), true)
	changed = w.host.RecordingsChanged()
	list := w.end()
	<-changed
	if len(list) != 1 || list[0].State != host.RecordingFinished || list[0].EndedBy != "task" || list[0].ID != running[0].ID || list[0].Error != "" {
		t.Fatalf("after the end: %s", shared.Dump(list))
	}
	r := list[0]
	info, err := os.Stat(r.Path)
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() != r.Bytes {
		t.Errorf("the file is %v, %v; the list says %d bytes", info, err, r.Bytes)
	}

	p := newPlayer(t, dir)
	l := p.load(r)
	if l.Duration == nil || math.Abs(*l.Duration-r.Duration) > 0.1 || l.Width < 100 || l.Height < 100 {
		t.Errorf("the player says %s, the list %v s", shared.Dump(l), r.Duration)
	}
	if got := p.colours(); !strings.HasSuffix(got, "red lime blue") {
		t.Errorf("seeking shows %s", got)
	}
	if played := p.play(); played.Last != "blue" || math.Abs(played.Time-r.Duration) > 0.5 {
		t.Errorf("playing shows %s", shared.Dump(played))
	}
}

func TestARecordingGoesOnWhateverHappensToTheTab(t *testing.T) {
	dir := t.TempDir()
	t.Parallel()
	address, _ := shared.Own(t)
	p := newProxy(t, address)
	w := newWorldOn(t, p.address, host.Options{Recording: host.RecordingOptions{Dir: dir}}, map[string]string{"/colours": colours},
		host.TaskOptions{Record: true, DialogPolicy: "must_respond"})
	w.address = address
	events := w.Events(1000)
	w.open("/colours")
	w.show("red")

	// A dialog and a loop hold the page: there are no frames, and nothing waits for any.
	w.start("confirm('go on?')")
	w.answer(host.DialogResponse{DialogID: w.dialog().ID, Accept: true})
	_, err := w.Tab("").Evaluate(within(t, w.ctx, 500*time.Millisecond), "while (true) {}", nil)
	wantError(t, err, host.ErrTimeout)
	w.show("lime")
	w.show("lime") // the first frames may be those that the loop held up

	// Another size: the frames have it from then on.
	if _, err := w.CDP(w.ctx, host.CDPCall{
		Method: "Emulation.setDeviceMetricsOverride", Params: []byte(`{"width": 400, "height": 300, "deviceScaleFactor": 2, "mobile": false}`),
	}); err != nil {
		t.Fatal(err)
	}
	w.show("blue")
	w.show("blue") // the first frames may have the previous size

	// A lost connection has other sessions when it is back, and a crashed tab another process.
	p.cut()
	w.back(events)
	w.await("the session", func(s *host.Snapshot) bool { return s.Page().SessionID != "" })
	w.show("red")
	newRawClient(w.ctx, t, w.address).crasher(w.Snapshot().Page().ID)()
	w.await("the crash", func(s *host.Snapshot) bool { return s.Page().Crashed })
	w.open("/colours")
	w.show("lime")

	list := w.end()
	if len(list) != 1 || list[0].State != host.RecordingFinished { // a slow machine drops pictures while dialogs are drawn
		t.Fatalf("the recordings are %s", shared.Dump(list))
	}
	player := newPlayer(t, dir)
	player.load(list[0])
	seen := player.seek()
	if got := seen.colours(); got != "red dialog lime blue red lime" && got != "red dialog red lime blue red lime" {
		t.Errorf("playing shows %s", shared.Dump(seen))
	}
	if !slices.Contains(seen.Sizes, "400x300") || len(seen.Sizes) < 2 {
		t.Errorf("the sizes are %v", seen.Sizes)
	}
}

func TestARecordingFollowsTheTabInUse(t *testing.T) {
	dir := t.TempDir()
	w := recordedWorld(t, map[string]string{"/colours": colours}, host.RecordingOptions{Dir: dir}, host.TaskOptions{})
	second := attachAs(t, w.host, "second", w.address, host.TaskOptions{Scope: host.ScopeContext, Record: true})
	other := *w
	other.Task = second
	attachAs(t, w.host, "unrecorded", w.address, host.TaskOptions{Scope: host.ScopeContext})
	w.open("/colours")
	other.open("/colours")
	w.show("red")
	other.show("blue")

	first := w.Snapshot().TabInUse
	if _, err := w.OpenTab(w.ctx, ""); err != nil {
		t.Fatal(err)
	}
	w.open("/colours")
	w.show("lime")
	if err := w.Tab(first).Focus(w.ctx); err != nil {
		t.Fatal(err)
	}
	w.show("blue")
	want(t, "recordings of the one task", len(w.recordings()), 1)
	want(t, "recordings of the other", len(other.recordings()), 1)

	mine := w.end()
	want(t, "the state of the other", other.recordings()[0].State, host.RecordingRunning)
	theirs := other.end()
	player := newPlayer(t, dir)
	player.load(mine[0])
	// The first tab may be seen before it changes again.
	if got := player.colours(); got != "red lime red blue" && got != "red lime blue" {
		t.Errorf("the task shows %s", got)
	}
	player.load(theirs[0])
	want(t, "the other task", player.colours(), "blue")
}

// A native dialog is in no picture of a page. It is drawn while it is open and shortly after its answer, which may have
// come at once.
func TestARecordingShowsDialogs(t *testing.T) {
	for policy, answer := range map[string]func(w *world){
		"must_respond": func(w *world) { w.answer(host.DialogResponse{DialogID: w.dialog().ID, Accept: true}) },
		"auto_dismiss": func(*world) {},
	} {
		t.Run(policy, func(t *testing.T) {
			dir := t.TempDir()
			w := recordedWorld(t, map[string]string{"/colours": colours}, host.RecordingOptions{Dir: dir}, host.TaskOptions{DialogPolicy: policy})
			w.open("/colours")
			w.show("red")
			before := w.recordedFrames()
			w.start("prompt('Delete everything on this very long list of things?', 'yes')")
			waitUntil(t, "the dialog", func() bool { return w.recordedFrames() > before })
			answer(w)
			w.show("lime")
			player := newPlayer(t, dir)
			player.load(w.end()[0])
			if got := player.colours(); got != "red dialog red lime" && got != "red dialog lime" {
				t.Errorf("playing shows %s", got)
			}
		})
	}
}

// A recording starts and stops while the task goes on, beside a trace, which has the same pictures.
func TestARecordingStartsAndStops(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	address, _ := shared.Own(t)
	w := newWorldOn(t, address, host.Options{Recording: host.RecordingOptions{Dir: dir}}, map[string]string{"/colours": colours}, host.TaskOptions{})
	w.address = address
	w.open("/colours")
	_, err := w.StopRecording(w.ctx)
	wantError(t, err, host.ErrNotRecorded)
	if err := w.StartTrace(nil); err != nil {
		t.Fatal(err)
	}
	for _, colour := range []string{"red", "lime"} {
		if err := w.StartRecording(); err != nil {
			t.Fatal(err)
		}
		wantError(t, w.StartRecording(), host.ErrRecordingRunning)
		w.show(colour)
		list, err := w.StopRecording(w.ctx)
		if err != nil || len(list) != 1 || list[0].State != host.RecordingFinished || list[0].EndedBy != "stop" || !strings.Contains(list[0].File, w.ID()) {
			t.Fatalf("the recording is %s, %v", shared.Dump(list), err)
		}
		want(t, "recorded", w.Recorded(), false)
	}
	if trace, err := w.StopTrace(w.ctx); err != nil || trace.Seen == 0 {
		t.Errorf("the trace is %+v, %v", trace, err)
	}
	player := newPlayer(t, dir)
	list := w.end()
	for i, colour := range []string{"red", "lime"} {
		player.load(list[i])
		if got := player.colours(); !strings.HasSuffix(got, colour) {
			t.Errorf("recording %d shows %s", i, got)
		}
	}
}

func TestATaskGoesOnWhereItCanNotBeRecorded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 100)
	w := newWorldOn(t, common.Address(t), host.Options{
		Recording: host.RecordingOptions{Dir: filepath.Join(file, "recordings")}, Logger: slog.New(slog.NewTextHandler(lines(said), nil)),
	}, nil, host.TaskOptions{Record: true})
	waitUntil(t, "the failure in the list", func() bool {
		list, err := w.host.Recordings(w.ID())
		return err == nil && len(list) == 1 && list[0].State == host.RecordingFailed && list[0].Error != "" && list[0].Path == ""
	})
	w.usable()
	want(t, "recorded", w.Recorded(), false)
	for what, said := range map[string]string{"the status": w.RecordingProblem(), "the notices": strings.Join(w.Notices(), "; ")} {
		if !strings.Contains(said, "not a directory") {
			t.Errorf("%s: %q", what, said)
		}
	}
	want(t, "the recordings of the task", len(w.end()), 1)
	var warnings []string
	for len(said) > 0 {
		if line := <-said; strings.Contains(line, "not recorded") {
			warnings = append(warnings, line)
		}
	}
	want(t, "times that it is said", len(warnings), 1)
}

// lines is a writer that passes on what is written, and drops what nobody has room for.
type lines chan<- string

// Write implements [io.Writer].
func (l lines) Write(p []byte) (int, error) {
	select {
	case l <- string(p):
	default:
	}
	return len(p), nil
}
