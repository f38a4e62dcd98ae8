package supervise_test

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/mutants"
)

func TestMutants(t *testing.T) {
	mutants.Kill(t, 36, "-rapid.nofailfile", "-rapid.shrinktime=0s", "-rapid.checks=100")
}
