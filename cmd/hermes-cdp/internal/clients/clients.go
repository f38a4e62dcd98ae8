// Package clients knows MCP clients: where each keeps its configuration, in which form, and how this program is added
// to it or removed from it without touching anything else.
package clients

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/misspelt"
)

// Machine is what decides where files are.
type Machine struct {
	// OS is a GOOS.
	OS string
	// Home is the user's home directory, Dir the working directory.
	Home, Dir string
	// Getenv reads the environment.
	Getenv func(string) string
}

// Server is how a client starts this program.
type Server struct {
	Command string
	Args    []string
}

// field is one key of a server's entry.
type field struct {
	key   string
	value any // string, bool, int or []string
	// once: only a new entry gets it. People change these, and what they chose stays.
	once bool
}

// Client is one MCP client.
type Client struct {
	// Name is what it is called on the command line, Title what its makers call it.
	Name, Title string
	// Then is what makes it notice the change.
	Then string

	user    func(Machine) []string // where its file can be; the first that is there, else the first
	project string                 // relative to a project's directory; empty: it has none
	format  format
	servers string // the key that has the servers
	entry   func(Server) []field
}

// All lists the clients by name.
func All() []Client { return slices.Clone(all) }

// Names lists their names.
func Names() []string {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	return names
}

// Find returns the client of a name; if there is none, a hint at the nearest name.
func Find(name string) (c Client, hint string, ok bool) {
	at := slices.IndexFunc(all, func(c Client) bool { return c.Name == name })
	if at < 0 {
		return Client{}, misspelt.DidYouMean(misspelt.Nearest(name, Names(), 3, misspelt.Edits)), false
	}
	return all[at], "", true
}

// File is the client's configuration file of a user.
func (c Client) File(m Machine) string {
	candidates := c.user(m)
	for _, path := range candidates {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return candidates[0]
}

// ProjectFile is the one of the project in the working directory; ok is false if the client has no such file.
func (c Client) ProjectFile(m Machine) (path string, ok bool) {
	return filepath.Join(m.Dir, c.project), c.project != ""
}

// Installed tells whether the client has left something here: its file, or the directory for it.
func (c Client) Installed(m Machine) bool {
	return slices.ContainsFunc(c.user(m), func(path string) bool {
		if filepath.Dir(path) == m.Home { // which says nothing of the client
			_, err := os.Stat(path)
			return err == nil
		}
		_, err := os.Stat(filepath.Dir(path))
		return err == nil
	})
}

// home is a path below the user's home directory.
func home(parts ...string) func(Machine) []string {
	return func(m Machine) []string { return []string{filepath.Join(append([]string{m.Home}, parts...)...)} }
}

// homeOf is home for a client that a variable gives another directory.
func homeOf(variable, directory string, parts ...string) func(Machine) []string {
	return func(m Machine) []string {
		dir := m.Getenv(variable)
		if dir == "" {
			dir = filepath.Join(m.Home, directory)
		}
		return []string{filepath.Join(append([]string{dir}, parts...)...)}
	}
}

// config is a path below the directory for configurations of the XDG specification, which some use on macOS, too.
func config(parts ...string) func(Machine) []string {
	return func(m Machine) []string { return []string{filepath.Join(append([]string{m.config()}, parts...)...)} }
}

// support is a path below the directory that the system has for the data of applications.
func support(parts ...string) func(Machine) []string {
	return func(m Machine) []string { return []string{filepath.Join(append([]string{m.support()}, parts...)...)} }
}

// either joins candidates.
func either(list ...func(Machine) []string) func(Machine) []string {
	return func(m Machine) (paths []string) {
		for _, one := range list {
			paths = append(paths, one(m)...)
		}
		return paths
	}
}

// onWindows takes another place there.
func onWindows(windows, others func(Machine) []string) func(Machine) []string {
	return func(m Machine) []string {
		if m.OS == "windows" {
			return windows(m)
		}
		return others(m)
	}
}

func (m Machine) config() string {
	if dir := m.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(m.Home, ".config")
}

func (m Machine) support() string {
	switch m.OS {
	case "windows":
		if dir := m.Getenv("APPDATA"); dir != "" {
			return dir
		}
		return filepath.Join(m.Home, "AppData", "Roaming")
	case "darwin":
		return filepath.Join(m.Home, "Library", "Application Support")
	default:
		return m.config()
	}
}

// plain is the entry that most clients take.
func plain(s Server) []field {
	return []field{{key: "command", value: s.Command}, {key: "args", value: s.Args}}
}

// typed is plain with the kind of the server before it.
func typed(kind string, more ...field) func(Server) []field {
	return func(s Server) []field {
		return append(append([]field{{key: "type", value: kind}}, plain(s)...), more...)
	}
}

// restart is what most clients need.
const restart = "restart it"

// vscode is a path of VS Code's own directory for its user.
func vscode(parts ...string) func(Machine) []string {
	return support(append([]string{"Code", "User"}, parts...)...)
}

// all are the clients whose files are known, by name, as their documentations describe them.
var all = []Client{
	{
		Name: "amazon-q", Title: "Amazon Q Developer", Then: restart, format: jsonFormat, servers: "mcpServers", entry: plain,
		user: home(".aws", "amazonq", "mcp.json"), project: ".amazonq/mcp.json",
	},
	{
		Name: "claude-code", Title: "Claude Code", Then: restart, format: jsonFormat, servers: "mcpServers", entry: typed("stdio"),
		user: homeOf("CLAUDE_CONFIG_DIR", "", ".claude.json"), project: ".mcp.json",
	},
	{
		Name: "claude-desktop", Title: "Claude Desktop", Then: restart, format: jsonFormat, servers: "mcpServers", entry: plain,
		user: support("Claude", "claude_desktop_config.json"),
	},
	{
		Name: "cline", Title: "Cline", Then: "nothing: it watches the file", format: jsonFormat, servers: "mcpServers", entry: plain,
		user: vscode("globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json"),
	},
	{
		Name: "cline-cli", Title: "Cline CLI", Then: restart, format: jsonFormat, servers: "mcpServers", entry: plain,
		user: home(".cline", "data", "settings", "cline_mcp_settings.json"),
	},
	{
		Name: "codex", Title: "Codex", Then: restart, format: tomlFormat, servers: "mcp_servers", entry: plain,
		user: homeOf("CODEX_HOME", ".codex", "config.toml"), project: ".codex/config.toml",
	},
	{
		Name: "copilot-cli", Title: "GitHub Copilot CLI", Then: restart, format: jsonFormat, servers: "mcpServers",
		entry: typed("local", field{key: "tools", value: []string{"*"}, once: true}), user: home(".copilot", "mcp-config.json"),
	},
	{
		Name: "crush", Title: "Crush", Then: restart, format: jsonFormat, servers: "mcp", entry: typed("stdio"),
		user: config("crush", "crush.json"), project: "crush.json",
	},
	{
		Name: "cursor", Title: "Cursor", Then: "nothing, or restart it: it watches the file", format: jsonFormat, servers: "mcpServers", entry: plain,
		user: home(".cursor", "mcp.json"), project: ".cursor/mcp.json",
	},
	{
		Name: "gemini-cli", Title: "Gemini CLI", Then: restart, format: jsonFormat, servers: "mcpServers", entry: plain,
		user: home(".gemini", "settings.json"), project: ".gemini/settings.json",
	},
	{
		Name: "goose", Title: "Goose", Then: restart, format: yamlFormat, servers: "extensions", entry: goose,
		user: onWindows(support("Block", "goose", "config", "config.yaml"), config("goose", "config.yaml")),
	},
	{
		Name: "hermes-agent", Title: "Hermes Agent", Then: "restart it, or use its /reload-mcp", format: yamlFormat, servers: "mcp_servers", entry: plain,
		user: homeOf("HERMES_HOME", ".hermes", "config.yaml"),
	},
	{
		Name: "junie", Title: "Junie", Then: restart, format: jsonFormat, servers: "mcpServers", entry: plain,
		user: home(".junie", "mcp", "mcp.json"), project: ".junie/mcp/mcp.json",
	},
	{
		Name: "kiro", Title: "Kiro", Then: "nothing: it watches the file", format: jsonFormat, servers: "mcpServers", entry: plain,
		user: home(".kiro", "settings", "mcp.json"), project: ".kiro/settings/mcp.json",
	},
	{
		Name: "lm-studio", Title: "LM Studio", Then: "nothing: it watches the file", format: jsonFormat, servers: "mcpServers", entry: plain,
		user: either(home(".lmstudio", "mcp.json"), home(".cache", "lm-studio", "mcp.json")),
	},
	{
		Name: "opencode", Title: "OpenCode", Then: restart, format: jsonFormat, servers: "mcp", entry: opencode,
		user:    either(config("opencode", "opencode.json"), config("opencode", "opencode.jsonc")),
		project: "opencode.json",
	},
	{
		Name: "qwen-code", Title: "Qwen Code", Then: restart, format: jsonFormat, servers: "mcpServers", entry: plain,
		user: home(".qwen", "settings.json"), project: ".qwen/settings.json",
	},
	{
		Name: "roo-code", Title: "Roo Code", Then: "nothing: it watches the file", format: jsonFormat, servers: "mcpServers", entry: plain,
		user: vscode("globalStorage", "rooveterinaryinc.roo-cline", "settings", "mcp_settings.json"), project: ".roo/mcp.json",
	},
	{
		Name: "vscode", Title: "Visual Studio Code", Then: "start the server with the button above its entry, or reload the window", format: jsonFormat,
		servers: "servers", entry: typed("stdio"), user: vscode("mcp.json"), project: ".vscode/mcp.json",
	},
	{
		Name: "vscode-insiders", Title: "Visual Studio Code Insiders", Then: "start the server with the button above its entry, or reload the window",
		format: jsonFormat, servers: "servers", entry: typed("stdio"), user: support("Code - Insiders", "User", "mcp.json"), project: ".vscode/mcp.json",
	},
	{
		Name: "windsurf", Title: "Windsurf", Then: "refresh its list of servers, or restart it", format: jsonFormat, servers: "mcpServers", entry: plain,
		user: home(".codeium", "windsurf", "mcp_config.json"),
	},
	{
		Name: "zed", Title: "Zed", Then: "nothing: it watches the file", format: jsonFormat, servers: "context_servers", entry: zed,
		user: onWindows(support("Zed", "settings.json"), config("zed", "settings.json")), project: ".zed/settings.json",
	},
}

// zed is the entry of Zed, whose versions before 2026 want to be told that no extension brings the server.
func zed(s Server) []field { return append([]field{{key: "source", value: "custom"}}, plain(s)...) }

// opencode takes a command with its arguments, and no other keys.
func opencode(s Server) []field {
	return []field{
		{key: "type", value: "local"}, {key: "command", value: append([]string{s.Command}, s.Args...)}, {key: "enabled", value: true, once: true},
	}
}

// goose takes servers for extensions.
func goose(s Server) []field {
	return []field{
		{key: "name", value: "hermes-cdp"}, {key: "type", value: "stdio"}, {key: "cmd", value: s.Command}, {key: "args", value: s.Args},
		{key: "enabled", value: true, once: true}, {key: "timeout", value: 300, once: true},
	}
}

// isOwn tells whether an entry starts this program, whatever its file is called, so that it may be changed.
func (s Server) isOwn(entry map[string]any) bool {
	command := commandOf(entry)
	name := command[strings.LastIndexAny(command, `/\`)+1:]
	return command != "" && command == s.Command || strings.TrimSuffix(strings.ToLower(name), ".exe") == "hermes-cdp"
}

// commandOf is the program that an entry starts; empty: it starts none.
func commandOf(entry map[string]any) string {
	for _, key := range []string{"command", "cmd"} {
		switch v := entry[key].(type) {
		case string:
			return v
		case []any:
			if len(v) > 0 {
				command, _ := v[0].(string)
				return command
			}
		}
	}
	return ""
}
