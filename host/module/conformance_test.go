package module_test

import (
	"os"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

func TestAFullCheckFindsWhatASingleEventDoesNot(t *testing.T) {
	remembers, err := os.ReadFile("testdata/remembers.wasm")
	if err != nil {
		t.Fatal(err)
	}
	report, err := module.CheckFully(t.Context(), remembers, module.Options{})
	if err != nil {
		t.Fatal(err)
	}
	last := report.Steps[len(report.Steps)-1]
	if report.OK || last.Name != "conformance" || last.Outcome != module.OutcomeFailed || !strings.Contains(last.Detail, "more findings") {
		t.Errorf("the last of %d steps is %+v, OK is %v", len(report.Steps), last, report.OK)
	}
	abstaining, err := os.ReadFile(path("abstain"))
	if err != nil {
		t.Fatal(err)
	}
	report, err = module.CheckFully(t.Context(), abstaining, module.Options{})
	if last := report.Steps[len(report.Steps)-1]; err != nil || !report.OK || last.Name != "conformance" {
		t.Errorf("%+v (%v)", report, err)
	}
	trapping, err := os.ReadFile(path("trap"))
	if err != nil {
		t.Fatal(err)
	}
	report, err = module.CheckFully(t.Context(), trapping, module.Options{})
	if last := report.Steps[len(report.Steps)-1]; err != nil || report.OK || last.Name == "conformance" {
		t.Errorf("a module that fails the first event went on to %+v (%v)", last, err)
	}
}

func TestThisHostConforms(t *testing.T) {
	conformance.HostUnderTest(t.Context(), t, module.Conformance(module.Options{}))
}
