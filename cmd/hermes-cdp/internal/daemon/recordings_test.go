//go:build unix

package daemon

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func TestATaskOfADaemonIsRecorded(t *testing.T) {
	dir := t.TempDir()
	d := start(t, "browser: {record_sessions: true, recording_dir: '"+dir+"', executable: '"+hosttest.Executable(t)+"'}\n")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client := control.NewSocketClient(d.at.Socket)
	defer client.Close()
	task, err := client.Connect(ctx, control.ConnectRequest{Launch: true})
	if err != nil || !task.Recorded {
		t.Fatalf("the task is %+v, %v", task, err)
	}
	if got := d.status(control.NewSocketClient(d.at.Socket)).Tasks; len(got) != 1 || !got[0].Recorded {
		t.Errorf("the status has %+v", got)
	}
	recordings := func() []host.Recording {
		t.Helper()
		list, err := host.Recordings(host.RecordingOptions{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for tick := time.NewTicker(10 * time.Millisecond); len(recordings()) == 0; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("nothing is recorded")
		}
	}
	running := recordings()[0]
	if status := d.get("/v1/agent/recordings/"+running.ID, "", false, nil); status != http.StatusOK {
		t.Errorf("the video is answered with %d", status)
	}
	if status := d.get("/v1/agent/recordings?task=default", "", false, nil); status != http.StatusOK {
		t.Errorf("the list is answered with %d", status)
	}
	d.end()
	if got := recordings(); len(got) != 1 || got[0].State != host.RecordingFinished || got[0].ID != running.ID {
		t.Errorf("after the end of the daemon: %+v", got)
	}
}
