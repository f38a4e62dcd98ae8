package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

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

// pretend starts a process that names a profile on its command line.
func pretend(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sh", "-c", "echo; read -r line", "--user-data-dir="+dir)
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
	return cmd
}

func TestADryRunChangesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
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

// A name below the directory that all users share says nothing: it can be a link, a file, or somebody else's.
func TestWhatOnlyLooksLikeAProfileIsLeftAlone(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	mine := filepath.Join(t.TempDir(), "mine")
	if err := os.Mkdir(mine, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := lockProfile(mine, "")
	if err != nil {
		t.Fatal(err)
	}
	lock.release()
	link := filepath.Join(os.TempDir(), profilePrefix+"link")
	if err := os.Symlink(mine, link); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(os.TempDir(), profilePrefix+"file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(os.TempDir(), profilePrefix+"linked")
	if err := os.Mkdir(linked, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(mine, ownerFile), filepath.Join(linked, ownerFile)); err != nil {
		t.Fatal(err)
	}
	living, err := temporaryProfile("", LaunchOptions{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := living.remove(); err != nil {
			t.Error(err)
		}
	}()
	process := pretend(t, link)
	if got := Reap(false); len(got) != 0 {
		t.Errorf("it ended %+v", got)
	}
	for _, path := range []string{link, file, linked, filepath.Join(mine, ownerFile), living.dir} {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
	if err := process.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the process was ended: %v", err)
	}
}

// An id that another process has got meanwhile is not hit, and neither is one that names no profile of ours.
func TestOnlyWhoUsesAProfileIsKilled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := abandoned(t, "a")
	other := pretend(t, dir+"-of-another")
	killThose([]int{other.Process.Pid}, func(pid int) bool { return uses(pid, 0, dir) })
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("it was ended: %v", err)
	}
}

func TestDownloadsOfAKilledHostAreRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
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
