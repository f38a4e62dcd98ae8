package proctable

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

func find(t *testing.T, pid int) (Process, []Process) {
	t.Helper()
	list, err := List()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(p Process) bool { return p.PID == pid })
	if i < 0 {
		t.Fatalf("process %d is not among %d", pid, len(list))
	}
	return list[i], list
}

func TestThisProcessIsListed(t *testing.T) {
	p, _ := find(t, os.Getpid())
	if !p.Mine || p.Parent != os.Getppid() || p.Memory < 1<<20 || !strings.HasPrefix(p.Command, os.Args[0]) {
		t.Errorf("it is %+v", p)
	}
	if share := p.Share(); share < 1<<20 || share > p.Memory*2 { // measured a little later
		t.Errorf("its share is %d of %d", share, p.Memory)
	}
	if age := time.Since(p.Started); age < -2*time.Second || age > 30*time.Minute {
		t.Errorf("it began %v ago", age)
	}
}

func TestATreeHasTheDescendants(t *testing.T) {
	// The descendant says itself that it runs: until its exec, a fork has the command of its parent. It waits for the
	// third descriptor, since sh gives a background command /dev/null.
	cmd := exec.Command("sh", "-c", `sh -c "echo ready; read line" <&3 & wait`)
	hold, holder, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	defer hold.Close()
	cmd.ExtraFiles = []*os.File{hold}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make([]byte, 6)
	if _, err := out.Read(ready); err != nil {
		t.Fatal(err)
	}
	_, list := find(t, cmd.Process.Pid)
	tree := Tree(list, cmd.Process.Pid)
	for _, p := range tree {
		if one, err := os.FindProcess(p.PID); err == nil {
			_ = one.Kill()
		}
	}
	_ = cmd.Wait() // it was killed
	if len(tree) != 2 || tree[0].PID != cmd.Process.Pid || !strings.HasPrefix(tree[1].Command, "sh -c echo ready") {
		t.Errorf("the tree is %+v", tree)
	}
	if got := Tree(list, -1); got != nil {
		t.Errorf("no process has the tree %+v", got)
	}
}

// The lines are those of macOS.
func TestLinesOfPSAreRead(t *testing.T) {
	list := parse("    1     0     0  12345  10-02:03:04 /sbin/launchd\n  612   1   501  204800   01:02:03 /Applications/Google Chrome.app/Contents/MacOS/Google Chrome --user-data-dir=/tmp/a b\n 7 6 502 8 00:09 x\nnonsense\n", 501)
	if len(list) != 3 || list[0].Mine || !list[1].Mine || list[1].Memory != 200<<20 || !strings.HasSuffix(list[1].Command, "--user-data-dir=/tmp/a b") || list[2].Command != "x" {
		t.Fatalf("they are %+v", list)
	}
	for i, want := range []time.Duration{10*24*time.Hour + 2*time.Hour + 3*time.Minute + 4*time.Second, time.Hour + 2*time.Minute + 3*time.Second, 9 * time.Second} {
		if age := time.Since(list[i].Started); age < want || age > want+time.Minute {
			t.Errorf("%d is %v old, want %v", i, age, want)
		}
	}
}
