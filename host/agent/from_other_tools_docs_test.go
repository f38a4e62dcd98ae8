package agent

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The table has each of our tools, no other, and the versions of the tools that make bench-peers measures.
func TestTheComparisonIsTrueOfTheTools(t *testing.T) {
	text, err := os.ReadFile("../../docs/from-other-tools.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 5 {
			continue
		}
		for _, name := range regexp.MustCompile("`(browser_[a-z_]+)`").FindAllStringSubmatch(cells[4], -1) {
			named[name[1]] = true
			if _, known := builtins()[name[1]]; !known {
				t.Errorf("there is no tool %s", name[1])
			}
		}
	}
	for name := range builtins() {
		if !named[name] {
			t.Errorf("%s is in no row", name)
		}
	}
	pins, err := os.ReadFile("../../tools/peers/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var peers struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(pins, &peers); err != nil || len(peers.Dependencies) != 3 {
		t.Fatalf("%v, %v", peers, err)
	}
	for name, version := range peers.Dependencies {
		if !strings.Contains(string(text), "("+version) {
			t.Errorf("it is not about %s %s", name, version)
		}
	}
}
