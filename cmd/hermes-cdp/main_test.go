package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

// binaryDir is where the command is built; it ends with the tests.
var binaryDir string

func TestMain(m *testing.M) {
	if os.Getenv(testServer) != "" { // this is a server that a test has configured
		serveTest()
		return
	}
	var err error
	if binaryDir, err = os.MkdirTemp("", "hermes-cdp-binary-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(binaryDir)
		os.Exit(code)
	}))
}

// builtBinary is the command as it is shipped, built once.
func builtBinary(t *testing.T) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var build = sync.OnceValues(func() (string, error) {
	path := filepath.Join(binaryDir, "hermes-cdp")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		err = errors.New(string(out))
	}
	return path, err
})
