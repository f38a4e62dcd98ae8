package agent

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// The page names only tools, parameters and codes that there are.
func TestTheSkillIsTrueOfTheTools(t *testing.T) {
	calls := 0
	for line := range strings.Lines(Skill) {
		name, arguments, isCall := strings.Cut(strings.TrimSpace(line), " {")
		if !isCall || !strings.HasPrefix(name, "browser_") {
			continue
		}
		calls++
		tool, known := builtins()[name]
		var object map[string]any
		if err := json.Unmarshal([]byte("{"+arguments), &object); err != nil || !known {
			t.Errorf("%s: known %t, %v", line, known, err)
			continue
		}
		if err := tool.check.Check(object); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if calls < 10 {
		t.Errorf("there are %d calls in it", calls)
	}
	for _, name := range regexp.MustCompile("`(browser_[a-z_]+)`").FindAllStringSubmatch(Skill, -1) {
		if _, known := builtins()[name[1]]; !known {
			t.Errorf("there is no tool %s", name[1])
		}
	}
	for _, code := range regexp.MustCompile("(?m)^\\| `([a-z_]+)`").FindAllStringSubmatch(Skill, -1) {
		if fault.Code(code[1]).Cure() == "" {
			t.Errorf("there is no code %s", code[1])
		}
	}
}
