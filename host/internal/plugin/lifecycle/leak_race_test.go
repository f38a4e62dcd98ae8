//go:build race

package lifecycle

import "os"

// The race detector makes the engine's compiler fifteen times slower, and has seen all that it will long before the
// end: what leaks is told by the run without it.
func init() {
	if os.Getenv("HERMES_CDP_TESTS") != "long" {
		swaps = 1000
	}
}
