package clients

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var own = Server{Command: "/usr/bin/hermes-cdp", Args: []string{"mcp"}}

func client(t *testing.T, name string) Client {
	t.Helper()
	c, _, ok := Find(name)
	if !ok {
		t.Fatalf("there is no client %s", name)
	}
	return c
}

// inFile has a text in a file.
func inFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// do makes a plan and carries it out.
func do(t *testing.T, want Action, plan func() (*Plan, error)) *Plan {
	t.Helper()
	p, err := plan()
	if err != nil {
		t.Fatal(err)
	}
	if p.Action != want || (p.Diff() == "") != (want == Unchanged) {
		t.Fatalf("the plan is %q, want %q; its diff:\n%s", p.Action, want, p.Diff())
	}
	if err := p.Write(); err != nil {
		t.Fatal(err)
	}
	return p
}

// Each text, what it is with the server, and what is left when that is removed; empty: the first text.
var edits = []struct{ name, client, before, after, removed string }{
	{
		"nothing", "claude-desktop", "",
		"{\n  \"mcpServers\": {\n    \"browser\": {\n      \"command\": \"/usr/bin/hermes-cdp\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n",
		"{\n  \"mcpServers\": {}\n}\n",
	},
	{
		"another server", "cursor",
		"{\n\t\"mcpServers\": {\n\t\t\"files\": {\"command\": \"npx\"}\n\t}\n}\n",
		"{\n\t\"mcpServers\": {\n\t\t\"files\": {\"command\": \"npx\"},\n\t\t\"browser\": {\n\t\t\t\"command\": \"/usr/bin/hermes-cdp\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}\n", "",
	},
	{
		"comments and trailing commas", "vscode",
		"// mine\n{\n  \"inputs\": [], // none\n  \"servers\": {\n    // the files\n    \"files\": { \"command\": \"npx\", }, // that one\n    // the end\n  },\n}\n",
		"// mine\n{\n  \"inputs\": [], // none\n  \"servers\": {\n    // the files\n    \"files\": { \"command\": \"npx\", }, // that one\n    // the end\n    \"browser\": {\n      \"type\": \"stdio\",\n      \"command\": \"/usr/bin/hermes-cdp\",\n      \"args\": [\"mcp\"]\n    },\n  },\n}\n", "",
	},
	{
		"a comment after the last value", "zed",
		"{\n  \"theme\": \"One\", /* dark */\n  \"context_servers\": {\n    \"a\": {\"command\": \"a\"} // last\n  }\n}\n",
		"{\n  \"theme\": \"One\", /* dark */\n  \"context_servers\": {\n    \"a\": {\"command\": \"a\"}, // last\n    \"browser\": {\n      \"source\": \"custom\",\n      \"command\": \"/usr/bin/hermes-cdp\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n", "",
	},
	{
		"one line", "gemini-cli", `{"theme":"x","mcpServers":{"a":{"command":"a"}}}`,
		`{"theme":"x","mcpServers":{"a":{"command":"a"}, "browser": {"command": "/usr/bin/hermes-cdp", "args": ["mcp"]}}}`, "",
	},
	{
		"lines as on Windows", "windsurf", "{\r\n    \"mcpServers\": {\r\n    }\r\n}\r\n",
		"{\r\n    \"mcpServers\": {\r\n        \"browser\": {\r\n            \"command\": \"/usr/bin/hermes-cdp\",\r\n            \"args\": [\"mcp\"]\r\n        }\r\n    }\r\n}\r\n",
		"{\r\n    \"mcpServers\": {}\r\n}\r\n",
	},
	{
		"numbers and escapes", "claude-code", "{\n  \"userID\": 12345678901234567890123, \"a\\u00e9/\": 1.50e1,\n  \"mcpServers\": {}\n}",
		"{\n  \"userID\": 12345678901234567890123, \"a\\u00e9/\": 1.50e1,\n  \"mcpServers\": {\n    \"browser\": {\n      \"type\": \"stdio\",\n      \"command\": \"/usr/bin/hermes-cdp\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}", "",
	},
	{
		"a command in one list", "opencode", "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n",
		"{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": {\n    \"browser\": {\n      \"type\": \"local\",\n      \"command\": [\"/usr/bin/hermes-cdp\", \"mcp\"],\n      \"enabled\": true\n    }\n  }\n}\n",
		"{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": {}\n}\n",
	},
	{
		"TOML", "codex", "# mine\nmodel = \"gpt\" # the model\n\n[mcp_servers.files]\ncommand = \"npx\"\nargs = [\n  \"-y\", # yes\n  \"files\",\n]\n",
		"# mine\nmodel = \"gpt\" # the model\n\n[mcp_servers.files]\ncommand = \"npx\"\nargs = [\n  \"-y\", # yes\n  \"files\",\n]\n\n[mcp_servers.browser]\ncommand = \"/usr/bin/hermes-cdp\"\nargs = [\"mcp\"]\n", "",
	},
	{"TOML of nothing", "codex", "", "[mcp_servers.browser]\ncommand = \"/usr/bin/hermes-cdp\"\nargs = [\"mcp\"]\n", ""},
	{
		"YAML", "hermes-agent", "# mine\nmodel: x  # the model\n\nmcp_servers:\n    # the files\n    files:\n        command: npx\n        args: [a,   b]\n\n# the rest\nrest:\n- 1\n",
		"# mine\nmodel: x  # the model\n\nmcp_servers:\n    # the files\n    files:\n        command: npx\n        args: [a,   b]\n    browser:\n      command: \"/usr/bin/hermes-cdp\"\n      args: [\"mcp\"]\n\n# the rest\nrest:\n- 1\n", "",
	},
	{
		"YAML without servers", "hermes-agent", "model: x\nmcp_servers: {} # none yet\nlast: |\n  two\n\n  lines\n",
		"model: x\nmcp_servers: # none yet\n  browser:\n    command: \"/usr/bin/hermes-cdp\"\n    args: [\"mcp\"]\nlast: |\n  two\n\n  lines\n",
		"model: x\nmcp_servers: # none yet\n  {}\nlast: |\n  two\n\n  lines\n",
	},
	{
		"YAML of nothing", "goose", "",
		"extensions:\n  browser:\n    name: \"hermes-cdp\"\n    type: \"stdio\"\n    cmd: \"/usr/bin/hermes-cdp\"\n    args: [\"mcp\"]\n    enabled: true\n    timeout: 300\n",
		"extensions:\n  {}\n",
	},
}

func TestAServerIsAddedAndRemovedAndNothingElseChanges(t *testing.T) {
	for _, c := range edits {
		t.Run(c.name, func(t *testing.T) {
			of, file := client(t, c.client), inFile(t, c.before)
			add := func() (*Plan, error) { return of.Add(file, "browser", own) }
			do(t, Added, add)
			if got := read(t, file); got != c.after {
				t.Fatalf("with the server it is\n%s\nwant\n%s", got, c.after)
			}
			do(t, Unchanged, add)
			remove := func() (*Plan, error) { return of.Remove(file, "browser", own) }
			do(t, Removed, remove)
			want := c.removed
			if want == "" {
				want = c.before
			}
			if got := read(t, file); got != want {
				t.Errorf("without it it is\n%s\nwant\n%s", got, want)
			}
			do(t, Unchanged, remove)
		})
	}
}

// What people have added to the entry stays, and what the client was told to leave off stays off.
func TestAnEntryThatIsThereKeepsWhatOthersHaveAdded(t *testing.T) {
	for name, c := range map[string]struct{ client, before, after string }{
		"JSON": {
			"opencode", "{\"mcp\": {\n  \"browser\": {\n    \"command\": [\"/old/hermes-cdp\"], // old\n    \"enabled\": false,\n    \"environment\": {\"A\": \"b\"}\n  }\n}}\n",
			"{\"mcp\": {\n  \"browser\": {\n    \"command\": [\"/usr/bin/hermes-cdp\", \"mcp\"], // old\n    \"enabled\": false,\n    \"environment\": {\"A\": \"b\"},\n    \"type\": \"local\"\n  }\n}}\n",
		},
		"TOML": {
			"codex", "[mcp_servers.browser]\ncommand = '/old/hermes-cdp' # old\nstartup_timeout_sec = 20\n\n[mcp_servers.browser.env]\nA = \"b\"\n",
			"[mcp_servers.browser]\ncommand = \"/usr/bin/hermes-cdp\" # old\nstartup_timeout_sec = 20\nargs = [\"mcp\"]\n\n[mcp_servers.browser.env]\nA = \"b\"\n",
		},
		"YAML": {
			"goose", "extensions:\n  browser:\n    name: hermes-cdp\n    type: stdio\n    cmd: /old/hermes-cdp # old\n    enabled: false\n    envs: {A: b}\n",
			"extensions:\n  browser:\n    name: hermes-cdp\n    type: stdio\n    cmd: \"/usr/bin/hermes-cdp\" # old\n    enabled: false\n    envs: {A: b}\n    args: [\"mcp\"]\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := inFile(t, c.before)
			do(t, Changed, func() (*Plan, error) { return client(t, c.client).Add(file, "browser", own) })
			if got := read(t, file); got != c.after {
				t.Errorf("it is\n%s\nwant\n%s", got, c.after)
			}
		})
	}
}

// Tables below the one of the server are the server's.
func TestAServerIsRemovedWithAllThatBelongsToIt(t *testing.T) {
	const rest = "model = \"x\"\n\n[mcp_servers.a]\ncommand = \"a\"\n\n# of b\n[mcp_servers.b]\ncommand = \"b\"\n"
	file := inFile(t, "model = \"x\"\n\n[mcp_servers.browser]\ncommand = \"hermes-cdp\"\n\n[mcp_servers.a]\ncommand = \"a\"\n\n[mcp_servers.browser.env]\nX = \"y\"\n\n# of b\n[mcp_servers.b]\ncommand = \"b\"\n")
	do(t, Removed, func() (*Plan, error) { return client(t, "codex").Remove(file, "browser", own) })
	if got := read(t, file); got != rest {
		t.Errorf("left is\n%s\nwant\n%s", got, rest)
	}
}

func TestAFileThatCannotBeEditedForCertainIsLeftAsItIs(t *testing.T) {
	for name, c := range map[string]struct {
		client, text string
		want         error
	}{
		"no JSON":               {"cursor", "{", nil},
		"a list":                {"cursor", "[]", nil},
		"servers are a list":    {"cursor", `{"mcpServers": []}`, ErrByHand},
		"the entry is a text":   {"cursor", `{"mcpServers": {"browser": "x"}}`, ErrByHand},
		"another program":       {"cursor", `{"mcpServers": {"browser": {"command": "npx"}}}`, ErrTaken},
		"an address":            {"cursor", `{"mcpServers": {"browser": {"url": "https://hermes-cdp.example"}}}`, ErrTaken},
		"a name twice":          {"cursor", `{"mcpServers": {}, "mcpServers": {"a": {}}}`, ErrByHand},
		"TOML in one line":      {"codex", "mcp_servers = {a = {command = \"a\"}}\n", ErrByHand},
		"TOML with dotted keys": {"codex", "[mcp_servers]\nbrowser.command = \"hermes-cdp\"\n", ErrByHand},
		"no TOML":               {"codex", "a = \n", nil},
		"YAML in one line":      {"hermes-agent", "mcp_servers: {a: {command: a}}\n", ErrByHand},
		"YAML with an alias":    {"hermes-agent", "a: &a {b: {command: c}}\nmcp_servers: *a\n", ErrByHand},
		"no YAML":               {"hermes-agent", "a: [\n", nil},
	} {
		file := inFile(t, c.text)
		p, err := client(t, c.client).Add(file, "browser", own)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: the plan is %+v, %v, want %v", name, p, err, c.want)
		}
		if read(t, file) != c.text {
			t.Errorf("%s: the file is another", name)
		}
	}
	file := inFile(t, `{"mcpServers": {"browser": {"command": "npx"}}}`)
	if _, err := client(t, "cursor").Remove(file, "browser", own); !errors.Is(err, ErrTaken) {
		t.Errorf("the entry of another program: %v", err)
	}
}

// Whatever a file has, it has it afterwards: each edit is checked against what it means, so that it can be refused, but
// not go wrong; and one that people write is not refused.
func TestAnyJSONIsEditedOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gap := rapid.SampledFrom([]string{"", " ", "\n", "\n  ", " // c\n", "/* c */", "\n\t// c }\n\t", "\r\n"})
		var value func(depth int) string
		value = func(depth int) string {
			kinds := []string{`"a"`, `"\u007d//"`, "1", "true", "null"}
			if depth == 0 {
				return rapid.SampledFrom(kinds).Draw(t, "value")
			}
			var out strings.Builder
			out.WriteString("{" + gap.Draw(t, "gap"))
			n := rapid.IntRange(0, 3).Draw(t, "members")
			for i := range n {
				name := []string{"a", "mcpServers", "b{"}[i]
				out.WriteString(`"` + name + `"` + gap.Draw(t, "gap") + ":" + gap.Draw(t, "gap"))
				if name == "mcpServers" || rapid.Bool().Draw(t, "deep") {
					out.WriteString(value(depth - 1))
				} else {
					out.WriteString(value(0))
				}
				out.WriteString(gap.Draw(t, "gap"))
				if i < n-1 || rapid.Bool().Draw(t, "comma") {
					out.WriteString("," + gap.Draw(t, "gap"))
				}
			}
			return out.String() + "}"
		}
		text := gap.Draw(t, "gap") + value(2) + gap.Draw(t, "gap")
		before, err := decodeJSON([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		servers, isMap := before["mcpServers"].(map[string]any)
		if before["mcpServers"] != nil && !isMap {
			return
		}
		if _, isNull := before["mcpServers"]; isNull && !isMap {
			return
		}
		after, err := setJSON([]byte(text), "mcpServers", "browser", plain(own))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got, err := decodeJSON(after)
		want := maps.Clone(before)
		all := maps.Clone(servers)
		if all == nil {
			all = map[string]any{}
		}
		all["browser"] = map[string]any{"command": own.Command, "args": []any{"mcp"}}
		want["mcpServers"] = all
		if err != nil || !sameJSON(got, want) {
			t.Fatalf("%q becomes %q, %v", text, after, err)
		}
		for _, comment := range regexp.MustCompile(`/\*.*?\*/|// c[^\n]*`).FindAllString(text, -1) {
			if strings.Count(string(after), comment) < strings.Count(text, comment) {
				t.Fatalf("%q becomes %q, which has lost %q", text, after, comment)
			}
		}
		left, err := removeJSON(after, "mcpServers", "browser")
		if err != nil {
			t.Fatal(err)
		}
		got, err = decodeJSON(left)
		delete(all, "browser")
		if err != nil || !sameJSON(got, want) {
			t.Fatalf("%q without the server is %q, %v", after, left, err)
		}
	})
}

func sameJSON(a, b map[string]any) bool { return inlineJSON(a) == inlineJSON(b) }

func TestAFileThatHasChangedMeanwhileIsLeftAsItIs(t *testing.T) {
	file := inFile(t, "{}")
	p, err := client(t, "cursor").Add(file, "browser", own)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`{"a": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.Write(); err == nil || read(t, file) != `{"a": 1}` {
		t.Errorf("the file is %s, %v", read(t, file), err)
	}
}

func TestALinkStaysALinkAndAFileKeepsItsMode(t *testing.T) {
	file := inFile(t, "{}")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	do(t, Added, func() (*Plan, error) { return client(t, "cursor").Add(link, "browser", own) })
	if to, err := os.Readlink(link); err != nil || to != file {
		t.Errorf("the link leads to %s, %v", to, err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if !strings.Contains(read(t, file), "hermes-cdp") {
		t.Error("what the link leads to was not changed")
	}
}

func TestWhereFilesAre(t *testing.T) {
	none := func(string) string { return "" }
	at := func(os string, getenv func(string) string) Machine {
		return Machine{OS: os, Home: "/home/ada", Dir: "/project", Getenv: getenv}
	}
	is := func(name, value string) func(string) string {
		return func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}
	}
	for _, c := range []struct {
		client string
		m      Machine
		want   string
	}{
		{"claude-desktop", at("linux", none), "/home/ada/.config/Claude/claude_desktop_config.json"},
		{"claude-desktop", at("darwin", none), "/home/ada/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", at("windows", is("APPDATA", "/roaming")), "/roaming/Claude/claude_desktop_config.json"},
		{"claude-desktop", at("windows", none), "/home/ada/AppData/Roaming/Claude/claude_desktop_config.json"},
		{"claude-code", at("linux", none), "/home/ada/.claude.json"},
		{"claude-code", at("linux", is("CLAUDE_CONFIG_DIR", "/c")), "/c/.claude.json"},
		{"cursor", at("windows", none), "/home/ada/.cursor/mcp.json"},
		{"vscode", at("linux", is("XDG_CONFIG_HOME", "/xdg")), "/xdg/Code/User/mcp.json"},
		{"vscode", at("darwin", none), "/home/ada/Library/Application Support/Code/User/mcp.json"},
		{"cline", at("linux", none), "/home/ada/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"},
		{"windsurf", at("darwin", none), "/home/ada/.codeium/windsurf/mcp_config.json"},
		{"zed", at("darwin", none), "/home/ada/.config/zed/settings.json"},
		{"zed", at("windows", is("APPDATA", "/roaming")), "/roaming/Zed/settings.json"},
		{"codex", at("linux", is("CODEX_HOME", "/codex")), "/codex/config.toml"},
		{"codex", at("linux", none), "/home/ada/.codex/config.toml"},
		{"gemini-cli", at("linux", none), "/home/ada/.gemini/settings.json"},
		{"goose", at("windows", is("APPDATA", "/roaming")), "/roaming/Block/goose/config/config.yaml"},
	} {
		if got := filepath.ToSlash(client(t, c.client).File(c.m)); got != c.want {
			t.Errorf("%s on %s: %s, want %s", c.client, c.m.OS, got, c.want)
		}
	}
	if got, ok := client(t, "vscode").ProjectFile(at("linux", none)); !ok || filepath.ToSlash(got) != "/project/.vscode/mcp.json" {
		t.Errorf("of a project: %s, %v", got, ok)
	}
	if _, ok := client(t, "claude-desktop").ProjectFile(at("linux", none)); ok {
		t.Error("a desktop has no projects")
	}
}

// The one that is there is meant, where there can be several.
func TestTheFileThatIsThereIsMeant(t *testing.T) {
	dir := t.TempDir()
	m := Machine{OS: "linux", Home: dir, Getenv: func(string) string { return "" }}
	c := client(t, "opencode")
	if c.Installed(m) {
		t.Error("nothing is there")
	}
	there := filepath.Join(dir, ".config", "opencode", "opencode.jsonc")
	if err := os.MkdirAll(filepath.Dir(there), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := c.File(m); got != there || !c.Installed(m) {
		t.Errorf("the file is %s", got)
	}
	if client(t, "claude-code").Installed(m) {
		t.Error("a home directory is no Claude Code")
	}
}

func TestClientsAreInOrderAndFoundByTheirNames(t *testing.T) {
	if names := Names(); !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(all) {
		t.Errorf("the names are %v", names)
	}
	if _, hint, ok := Find("cursr"); ok || !strings.Contains(hint, "cursor") {
		t.Errorf("the hint is %q", hint)
	}
	for _, c := range All() {
		if entry := c.Entry("browser", own); !strings.Contains(entry, own.Command) || !strings.Contains(entry, "browser") {
			t.Errorf("%s: the entry is %s", c.Name, entry)
		}
	}
}
