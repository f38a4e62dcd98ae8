package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
)

// startSelf starts the test binary as another program, which a variable makes of one of its tests, and waits until that
// says that it is ready.
func startSelf(t *testing.T, test, variable, value string) *exec.Cmd {
	t.Helper()
	program := exec.CommandContext(testContext(t), os.Args[0], "-test.run=^"+test+"$")
	program.Env = append(inTemporary(t), variable+"="+value)
	program.Stderr = os.Stderr
	stdin, err := program.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stdin.Close() })
	stdout, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(stdout)
	if line, err := said.ReadString('\n'); line != selfReady+"\n" {
		reason, _ := io.ReadAll(said) // what a test that failed says stands in the lines after its name
		t.Fatalf("the program said %q, %v\n%s", line, err, reason)
	}
	return program
}

// selfReady is what the other program says.
const selfReady = "ready"

// selfIsReady says so, and waits for its end, or for that of the process that started it.
func selfIsReady() {
	fmt.Fprintln(os.Stdout, selfReady)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// inTemporary is the environment of a program that is killed, or does not remove what it leaves in the directory for
// temporary files. The path is short, since that of a socket is.
func inTemporary(t *testing.T) []string {
	t.Helper()
	dir, err := os.MkdirTemp("", "program")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return append(os.Environ(), "TMPDIR="+dir)
}
