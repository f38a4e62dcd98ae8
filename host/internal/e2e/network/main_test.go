package network

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// common is what the tests share.
var common shared.Suite

func TestMain(m *testing.M) { common.Main(m) }
