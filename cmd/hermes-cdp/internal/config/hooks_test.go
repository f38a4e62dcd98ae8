package config

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// An operator can grant every hook that there is.
func TestEveryHookCanBeGranted(t *testing.T) {
	field, _ := reflect.TypeFor[Plugin]().FieldByName("Hooks")
	if got, want := field.Tag.Get("oneof"), strings.Join(abi.Grants(), ","); got != want {
		t.Errorf("the configuration takes %s, want %s", got, want)
	}
}
