package trial

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// A host that is killed leaves no child, not even one that never looks up.
func TestTheChildEndsWithItsParent(t *testing.T) {
	parent := exec.Command(os.Args[0], "parent")
	parent.Env = append(os.Environ(), Variable+"="+value)
	said, err := parent.StdoutPipe()
	if err == nil {
		err = parent.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var child int
	if _, err := fmt.Fscan(bufio.NewReader(said), &child); err != nil {
		t.Fatal(err)
	}
	if residentBytes(child) == 0 {
		t.Fatal("there is no child")
	}
	_ = parent.Process.Kill()
	_ = parent.Wait()
	for deadline := time.Now().Add(time.Minute); residentBytes(child) > 0; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("the child goes on")
		}
	}
}

// What the clock of a step is held against grows while a process runs, and is 0 for none.
func TestTheProcessorTimeOfAProcess(t *testing.T) {
	for begun := processorTime(os.Getpid()); processorTime(os.Getpid()) <= begun; {
	}
	if used := processorTime(-1); used != 0 {
		t.Errorf("no process has run for %v", used)
	}
}
