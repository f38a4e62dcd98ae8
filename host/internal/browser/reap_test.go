package browser

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/proctable"
)

// abandoned is a profile whose owner is gone.
func abandoned(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(os.TempDir(), profilePrefix+name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := lockProfile(dir, "the task shop")
	if err != nil {
		t.Fatal(err)
	}
	lock.release()
	return dir
}

// pretender is a process that names a profile on its command line.
type pretender struct {
	*exec.Cmd
	in io.Closer
}

func pretend(t *testing.T, dir string) pretender {
	t.Helper()
	cmd := exec.Command(os.Args[0], "--user-data-dir="+dir)
	cmd.Env = append(os.Environ(), pretenderEnv+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait() // it was killed, or has read the end of its input
	})
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return pretender{cmd, in}
}

// mustLive ends it, and checks that nobody has killed it before.
func (p pretender) mustLive(t *testing.T) {
	t.Helper()
	if err := errors.Join(p.in.Close(), p.Wait()); err != nil {
		t.Errorf("the process was ended: %v", err)
	}
}

// ownTemporary gives a test a directory for temporary files.
func ownTemporary(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, variable := range []string{"TMPDIR", "TMP", "TEMP"} { // the last two on Windows
		t.Setenv(variable, dir)
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	ownTemporary(t)
	dir := abandoned(t, "a")
	process := pretend(t, dir)
	for range 2 {
		got := Reap(true)
		if len(got) != 1 || got[0].Profile != dir || !slices.Equal(got[0].PIDs, []int{process.Process.Pid}) || got[0].Err != nil {
			t.Fatalf("it says %+v", got)
		}
	}
	list, err := proctable.List()
	if err != nil {
		t.Fatal(err)
	}
	if got := Instances(list); len(got) != 1 || !got[0].Left || got[0].Host != os.Getpid() || got[0].User != "the task shop" || got[0].PID != process.Process.Pid {
		t.Errorf("the instances are %+v", got)
	}
	if got := Reap(false); len(got) != 1 || got[0].Err != nil {
		t.Fatalf("it ended %+v", got)
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("the profile is left: %v", err)
	}
	if err := process.Wait(); err == nil {
		t.Error("the process was not killed")
	}
	if got := Reap(false); len(got) != 0 {
		t.Errorf("then it ended %+v", got)
	}
}

// An id that another process has got meanwhile is not hit, and neither is one that names no profile of ours.
func TestOnlyWhoUsesAProfileIsKilled(t *testing.T) {
	ownTemporary(t)
	dir := abandoned(t, "a")
	other := pretend(t, dir+"-of-another")
	killThose([]int{other.Process.Pid}, func(pid int) bool { return uses(pid, 0, dir) })
	other.mustLive(t)
}

func TestDownloadsOfAKilledHostAreRemoved(t *testing.T) {
	ownTemporary(t)
	if err := os.Mkdir(filepath.Join(os.TempDir(), downloadsPrefix+"of-someone"), 0o700); err != nil {
		t.Fatal(err)
	}
	dir, remove, err := TemporaryDownloads("the task shop")
	if err != nil {
		t.Fatal(err)
	}
	if got := Reap(false); len(got) != 0 {
		t.Fatalf("with a living owner %+v were reaped", got)
	}
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	outer := filepath.Dir(dir)
	if _, err := os.Stat(outer); err == nil {
		t.Error("it is left when its task has ended")
	}
	if err := os.Mkdir(outer, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := lockProfile(outer, "the task shop")
	if err != nil {
		t.Fatal(err)
	}
	lock.release() // as the kernel does when a process is killed
	for _, dry := range []bool{true, false} {
		if got := Reap(dry); len(got) != 1 || got[0].Downloads != outer || got[0].Profile != "" || got[0].Err != nil {
			t.Errorf("dry %t: reaped %+v, want %s", dry, got, outer)
		}
	}
	if left := temporary(os.TempDir(), downloadsPrefix); len(left) != 1 || filepath.Base(left[0]) != downloadsPrefix+"of-someone" {
		t.Errorf("left are %v", left)
	}
}

func TestAProfileIsAbandonedWhenItsOwnerHasEnded(t *testing.T) {
	ownTemporary(t)
	p, err := temporaryProfile("", LaunchOptions{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	if _, free := lockAbandoned(p.dir); free {
		t.Error("it was taken from its owner")
	}
	if by := ownerOf(p.dir); by.PID != os.Getpid() {
		t.Errorf("its owner is %+v", by)
	}
	if err := p.remove(); err != nil {
		t.Fatal(err)
	}
	if _, free := lockAbandoned(p.dir); free {
		t.Error("there is no profile any more")
	}
}

// What a killed process leaves is removed by the watcher of its profile, which nobody waits for.
func TestTheWatcherOfAKilledProcessRemovesItsProfile(t *testing.T) {
	ownTemporary(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), ownerEnv+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	dir, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	dir = strings.TrimSpace(dir)
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for began := time.Now(); time.Since(began) < patience; <-look.C {
		if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
			return
		}
	}
	t.Errorf("%s is left", dir)
}
