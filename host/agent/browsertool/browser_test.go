package browsertool

import (
	"reflect"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
)

// What the kits of tools have in common stays within them.
func TestABrowserHasOnlyTools(t *testing.T) {
	browser, kit := reflect.TypeFor[*Browser](), reflect.TypeFor[*toolkit.Kit]()
	own := map[string]bool{"MarkRequests": true, "Prepare": true, "Tell": true}
	for i := range kit.NumMethod() {
		name := kit.Method(i).Name
		if _, has := browser.MethodByName(name); has != own[name] {
			t.Errorf("%s: it has it: %t", name, has)
		}
	}
	if _, has := browser.MethodByName("Click"); !has {
		t.Error("it has no Click")
	}
}
