package schedule_test

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/mutants"
)

func TestMutants(t *testing.T) { mutants.Kill(t, 16) }
