package agent

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

var common shared.Suite

func TestMain(m *testing.M) { common.Main(m) }
