package toolargs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

func builtin(t *testing.T, name string) agent.Tool {
	t.Helper()
	for _, tool := range agent.Builtins() {
		if tool.Name == name {
			return tool
		}
	}
	t.Fatalf("there is no tool %s", name)
	return agent.Tool{}
}

func write(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func lineOf(t *testing.T, tool agent.Tool) (*Line, *pflag.FlagSet) {
	t.Helper()
	line, err := NewLine(tool)
	if err != nil {
		t.Fatal(err)
	}
	flags := pflag.NewFlagSet(tool.Name, pflag.ContinueOnError)
	line.AddFlags(flags)
	return line, flags
}

// Each tool of package agent has a line, each parameter a flag that says what it is, and the tables name nothing else.
func TestEveryToolAndParameterHasItsPlaceOnTheCommandLine(t *testing.T) {
	ours := []string{"task", "toolsets", "output", "base64", "file", "help", "json", "config", "set", "log-level"}
	helped, listed := map[string]bool{}, map[string]bool{}
	for _, tool := range agent.Builtins() {
		line, flagSet := lineOf(t, tool)
		flags := map[string]bool{}
		for _, p := range line.Parameters {
			if p.Doc == "" || strings.HasPrefix(p.Doc, "CSS") {
				helped[p.Name] = true
			}
			name := FlagName(p.Name)
			flags[name] = true
			if slices.Contains(ours, name) {
				t.Errorf("%s: --%s is a flag of the command itself", tool.Name, name)
			}
			if flag := flagSet.Lookup(name); flag == nil || flag.Usage == "" {
				t.Errorf("%s: --%s says nothing; say what it is in the table help", tool.Name, name)
			}
			positional := slices.ContainsFunc(line.slots, func(s Slot) bool { return s.Name == p.Name || s.file && p.Name == "actions" })
			if p.required && !positional {
				t.Errorf("%s needs %s, which has no place in the table positionals", tool.Name, p.Name)
			}
		}
		flagSet.VisitAll(func(f *pflag.Flag) {
			if !flags[f.Name] && !slices.Contains(ours, f.Name) {
				t.Errorf("%s: --%s is no parameter", tool.Name, f.Name)
			}
		})
		if _, there := positionals[tool.Name]; !there {
			t.Errorf("%s is not in the table positionals", tool.Name)
		}
		listed[tool.Name] = true
		for i, s := range line.slots {
			if s.Name == "" && !s.file {
				t.Errorf("%s: argument %d is no parameter", tool.Name, i+1)
			}
			if s.rest && i < len(line.slots)-1 || i > 0 && line.slots[i-1].optional && !s.optional {
				t.Errorf("%s: argument %d cannot stand there", tool.Name, i+1)
			}
		}
	}
	for name := range positionals {
		if !listed[name] {
			t.Errorf("the table positionals has %s, which is no tool", name)
		}
	}
	for name := range picturing {
		if !listed[name] {
			t.Errorf("the table picturing has %s, which is no tool", name)
		}
	}
	for name := range help {
		if !helped[name] {
			t.Errorf("the table help has %s, which says itself what it is, or is no parameter", name)
		}
	}
}

func TestUsageLines(t *testing.T) {
	for name, want := range map[string]string{
		"browser_navigate": "navigate URL", "browser_type": "type ELEMENT TEXT", "browser_select": "select ELEMENT VALUE...",
		"browser_drag": "drag ELEMENT TO_ELEMENT", "browser_get_images": "get-images", "browser_interact": "interact [FILE]",
		"browser_dialog": "dialog accept|dismiss [DIALOG_ID]", "browser_press": "press KEY [ELEMENT]", "browser_screenshot": "screenshot [ELEMENT]",
		"browser_upload": "upload ELEMENT PATH...", "browser_tabs": "tabs [list|open|focus|close] [TAB]", "browser_resume": "resume CALL_ID",
	} {
		line, _ := lineOf(t, builtin(t, name))
		if got := line.Use(); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestACommandLineIsTheArgumentsOfATool(t *testing.T) {
	dir := t.TempDir()
	actions := filepath.Join(dir, "actions.json")
	object := filepath.Join(dir, "object.json")
	write(t, actions, []byte(`[{"action": "press", "key": "Enter"}]`))
	write(t, object, []byte(`{"ref": "e1", "text": "from the file", "timeout_ms": 12345678901234567890}`))
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		tool string
		args []string
		want string // the arguments, or what is wrong
	}{
		"in their order":                           {"type", []string{"e5", "two words"}, `{"ref":"e5","text":"two words"}`},
		"a ref as a snapshot shows it":             {"click", []string{"@e5"}, `{"ref":"@e5"}`},
		"what is no ref is a selector":             {"click", []string{"#save"}, `{"selector":"#save"}`},
		"an element by its flag":                   {"type", []string{"--selector", "e5", "text"}, `{"selector":"e5","text":"text"}`},
		"all by flags":                             {"type", []string{"--ref=e5", "--text", "-x"}, `{"ref":"e5","text":"-x"}`},
		"a text that looks like a flag":            {"type", []string{"e5", "--", "--no"}, `{"ref":"e5","text":"--no"}`},
		"an empty text":                            {"type", []string{"e5", ""}, `{"ref":"e5","text":""}`},
		"two elements":                             {"drag", []string{"e1", ".bin"}, `{"ref":"e1","to_selector":".bin"}`},
		"the second element by its flag":           {"drag", []string{"--to-ref", "e2", "e1"}, `{"ref":"e1","to_ref":"e2"}`},
		"several values":                           {"select", []string{"e1", "a,b", "[1]"}, `{"ref":"e1","values":["a,b","[1]"]}`},
		"several values by flags":                  {"select", []string{"e1", "--values", "a", "--values=b"}, `{"ref":"e1","values":["a","b"]}`},
		"on":                                       {"check", []string{"e1", "--checked"}, `{"checked":true,"ref":"e1"}`},
		"off":                                      {"check", []string{"e1", "--checked=false"}, `{"checked":false,"ref":"e1"}`},
		"a number":                                 {"click", []string{"e1", "--timeout-ms", "250"}, `{"ref":"e1","timeout_ms":250}`},
		"an object":                                {"cdp", []string{"Page.reload", `{"ignoreCache": true, "n": 12345678901234567890}`}, `{"method":"Page.reload","params":{"ignoreCache":true,"n":12345678901234567890}}`},
		"nothing":                                  {"tabs", nil, `{}`},
		"a tab":                                    {"tabs", []string{"focus", "t2"}, `{"action":"focus","tab":"t2"}`},
		"an address for a new tab":                 {"tabs", []string{"open", "https://a.test/"}, `{"action":"open","url":"https://a.test/"}`},
		"an address for a new tab, by flags":       {"tabs", []string{"--action", "open", "https://a.test/"}, `{"action":"open","url":"https://a.test/"}`},
		"actions from a file":                      {"interact", []string{actions}, `{"actions":[{"action":"press","key":"Enter"}]}`},
		"actions from standard input":              {"interact", []string{"-", "--stop-on-error"}, `{"actions":[{"action":"back"}],"stop_on_error":true}`},
		"actions from the file of a flag":          {"interact", []string{"-f", actions, "--url", "https://a.test/"}, `{"actions":[{"action":"press","key":"Enter"}],"url":"https://a.test/"}`},
		"flags are stronger than a file":           {"type", []string{"-f", object, "--text", "from the flag", "--timeout-ms=5"}, `{"ref":"e1","text":"from the flag","timeout_ms":5}`},
		"arguments are stronger than a file":       {"type", []string{"-f", object, "e2", "x", "--timeout-ms=5"}, `{"ref":"e2","text":"x","timeout_ms":5}`},
		"paths are those of this directory":        {"upload", []string{"e1", "line_test.go", "/x"}, `{"paths":["` + filepath.Join(here, "line_test.go") + `","/x"],"ref":"e1"}`},
		"underscores are not for flags":            {"click", []string{"e1", "--timeout_ms", "5"}, "unknown flag: --timeout_ms"},
		"an element is missing":                    {"click", nil, "click needs ELEMENT (or --ref, --selector)"},
		"a text is missing":                        {"type", []string{"e5"}, "type needs TEXT (or --text)"},
		"too many":                                 {"click", []string{"e1", "e2"}, `"e2" is one argument too many: click ELEMENT`},
		"a word that is not allowed":               {"scroll", []string{"sideways"}, `the direction is "sideways": want up, down, left, right`},
		"a flag's word that is not allowed":        {"navigate", []string{"u", "--wait-until", "soon"}, "want commit, domcontentloaded, load, networkidle"},
		"a number that is out of bounds":           {"click", []string{"e1", "--timeout-ms", "0"}, "want 1 to 600000"},
		"a number that is none":                    {"click", []string{"e1", "--timeout-ms", "1s"}, "want a whole number"},
		"a number that is not whole":               {"click", []string{"e1", "--timeout-ms", "1.5"}, "want a whole number"},
		"a number of the wrong kind":               {"click", []string{"e1", "--timeout-ms", "0x10"}, "want a whole number"},
		"an object that is none":                   {"cdp", []string{"Page.reload", "[1]"}, "want a JSON object"},
		"a switch that is neither on nor off":      {"check", []string{"e1", "--checked=maybe"}, "want true or false"},
		"a flag that is given twice is the last":   {"click", []string{"e1", "--tab", "t1", "--tab", "t2"}, `{"ref":"e1","tab":"t2"}`},
		"a file that is not there":                 {"interact", []string{filepath.Join(dir, "none")}, "no such file"},
		"a file that is no JSON":                   {"interact", []string{"line_test.go"}, "line_test.go is no JSON"},
		"a list for a tool that wants an object":   {"type", []string{"-f", actions, "e1", "x"}, "is no JSON object with the arguments of browser_type"},
		"a file that has two values":               {"interact", []string{"-f", "testdata/two-values.json"}, "more than one JSON value"},
		"a backend node id in place of a ref":      {"evaluate", []string{"this.id", "--backend-node-id", "7"}, `{"backend_node_id":7,"expression":"this.id"}`},
		"a negative number after the end of flags": {"scroll", []string{"down", "--amount", "-5"}, "want 0 to 1000000"},
	} {
		t.Run(name, func(t *testing.T) {
			line, flags := lineOf(t, builtin(t, "browser_"+c.tool))
			err := flags.Parse(c.args)
			if err == nil {
				err = line.Check(&cobra.Command{Use: line.Use()}, flags.Args())
			}
			got := ""
			if err == nil {
				var arguments []byte
				arguments, err = line.Arguments(strings.NewReader(`[{"action":"back"}]`), flags.Args())
				got = string(arguments)
			}
			if err != nil {
				if strings.HasPrefix(c.want, "{") || !strings.Contains(err.Error(), c.want) {
					t.Errorf("the error is %v, want %s", err, c.want)
				}
				return
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
