package host

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// compiled is the directory of compiled modules that the tests of this package share: under the race detector the
// compiler takes longer than all that they try.
var compiled string

func TestMain(m *testing.M) {
	var err error
	if compiled, err = os.MkdirTemp("", "hermes-host-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if err := os.RemoveAll(compiled); err != nil {
			fmt.Fprintln(os.Stderr, "the compiled modules:", err)
			code = max(code, 1)
		}
		os.Exit(code)
	}))
}
