package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSetListsLeavesTheRestAsItIs(t *testing.T) {
	for name, c := range map[string]struct {
		before string
		lists  map[string][]string
		after  string
	}{
		"a key is added":                   {"log:\n  level: debug # loud\n", map[string][]string{"toolsets": {"browser", "*"}}, "log:\n  level: debug # loud\ntoolsets: [browser, '*']\n"},
		"a key is replaced":                {"# mine\ntoolsets:\n  - all\n# the log\nlog: {level: info}\n", map[string][]string{"toolsets": {"browser"}}, "# mine\ntoolsets: [browser]\n# the log\nlog: {level: info}\n"},
		"an empty list removes its key":    {"disabled_tools: [browser_cdp]\ntoolsets: [all]\n", map[string][]string{"disabled_tools": nil}, "toolsets: [all]\n"},
		"a key that is not there stays so": {"toolsets: [all]\n", map[string][]string{"disabled_tools": nil}, "toolsets: [all]\n"},
		"an empty file":                    {"", map[string][]string{"toolsets": {"12"}}, "toolsets: [\"12\"]\n"},
		"a list below a map":               {"platform_toolsets: {a: [all]} # clients\n", map[string][]string{"platform_toolsets.b c": {"browser"}}, "platform_toolsets: {a: [all], b c: [browser]} # clients\n"},
		"a list below no map":              {"platform_toolsets:\n", map[string][]string{"platform_toolsets.a": {"browser"}}, "platform_toolsets:\n  a: [browser]\n"},
		"several keys at once":             {"", map[string][]string{"toolsets": {"a"}, "disabled_tools": {"b"}}, "disabled_tools: [b]\ntoolsets: [a]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(file, []byte(c.before), 0o640); err != nil {
				t.Fatal(err)
			}
			if err := SetLists(file, c.lists); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(file)
			if err != nil || string(got) != c.after {
				t.Errorf("got\n%s\nwant\n%s (%v)", got, c.after, err)
			}
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("the mode is %v: %v", info.Mode(), err)
			}
		})
	}
}

func TestSetListsMakesAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "config.yaml")
	if err := SetLists(file, map[string][]string{"toolsets": {"all"}}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v: %v", info, err)
	}
}

func TestSetListsTouchesNothingThatItCanNotRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	for _, text := range []string{"- a\n", "a: [\n", "toolsets: all\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := SetLists(file, map[string][]string{"toolsets.a": {"all"}}); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("got %v", err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("the file is %q: %v", got, err)
		}
	}
}
