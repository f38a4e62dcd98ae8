package agents

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// common is what the tests share, the browser of most of them first of all. Most of the time something is waited for.
var common = shared.Suite{Parallel: 4}

func TestMain(m *testing.M) { common.Main(m) }
