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
	if len(running) != 1 || running[0].State != host.RecordingRunning || running[0].Tab != "t1" || running[0].TaskID != w.ID() || running[0].Frames < 3 {
		t.Fatalf("while it runs: %s", shared.Dump(running))
	}
	want(t, "recorded", w.Recorded(), true)
	changed = w.host.RecordingsChanged()
	list := w.end()
	<-changed
	if len(list) != 1 || list[0].State != host.RecordingFinished || list[0].EndedBy != "tab" || list[0].ID != running[0].ID || list[0].Error != "" {
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
	var moments []string
	p.run("moments(100)", &moments)
	if got := strings.Join(moments, " "); !strings.HasSuffix(got, "red lime blue") {
		t.Errorf("seeking shows %s", got)
	}
	seen := p.play()
	if got := strings.Join(seen.Seen, " "); !strings.HasSuffix(got, "red lime blue") || math.Abs(seen.Time-r.Duration) > 0.5 {
		t.Errorf("playing shows %s", shared.Dump(seen))
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
	if len(list) != 1 || list[0].State != host.RecordingFinished || list[0].Dropped != 0 {
		t.Fatalf("the recordings are %s", shared.Dump(list))
	}
	player := newPlayer(t, dir)
	player.load(list[0])
	seen := player.play()
	if got := strings.ReplaceAll(strings.Join(seen.Seen, " "), "white ", ""); got != "red lime blue red lime" {
		t.Errorf("playing shows %s", shared.Dump(seen))
	}
	if !slices.Contains(seen.Sizes, "400x300") || len(seen.Sizes) < 2 {
		t.Errorf("the sizes are %v", seen.Sizes)
	}
}

func TestEachTabOfEachTaskHasARecordingOfItsOwn(t *testing.T) {
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
	w.show("lime") // also beside another task
	want(t, "recordings of the one task", len(w.recordings()), 1)
	want(t, "recordings of the other", len(other.recordings()), 1)

	// A popup is in front of its opener, which is not shown meanwhile.
	w.start("open('/colours?popup')")
	w.await("the popup", func(s *host.Snapshot) bool { return len(s.Targets) == 2 && s.Targets[1].Ready })
	waitUntil(t, "the popup's recording", func() bool { return len(w.recordings()) == 2 })
	popup := w.Tabs()[1].Info()
	if got := w.recordings()[1]; got.Tab != popup.Handle || got.TargetID != popup.TargetID || got.State != host.RecordingRunning {
		t.Errorf("the popup's recording is %s", shared.Dump(got))
	}
	if err := w.Tab(popup.Handle).Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "the end of the popup's recording", func() bool { return w.recordings()[1].State == host.RecordingFinished })
	want(t, "the opener's", w.recordings()[0].State, host.RecordingRunning)
	w.show("red")

	mine, theirs := w.end(), other.recordings()
	all, err := w.host.Recordings("")
	if err != nil || len(all) != 3 || len(mine) != 2 || len(theirs) != 1 || theirs[0].State != host.RecordingRunning {
		t.Fatalf("all recordings are %s, %v", shared.Dump(all), err)
	}
	other.end()
	player := newPlayer(t, dir)
	shown := map[string]string{}
	for _, r := range append(mine, theirs...) {
		player.load(r)
		shown[r.TaskID+" "+r.Tab] = strings.TrimPrefix(strings.Join(player.play().Seen, " "), "white ")
	}
	want(t, "the first tab", shown[w.ID()+" t1"], "red lime red")
	want(t, "the popup", shown[w.ID()+" t2"], "white")
	want(t, "the other task", shown["second t1"], "blue")
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
	if _, err := w.OpenTab(w.ctx, ""); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "the failure of the other tab", func() bool { return len(w.recordings()) == 2 })
	w.usable()
	want(t, "the recording of the task", len(w.end()), 2)
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
