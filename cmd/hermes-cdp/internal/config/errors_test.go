package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// Each file in testdata/errors has a faulty configuration; its twin .txt has every problem, one on a line.
func TestEveryProblemOfAFileIsReportedAtOnce(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			_, _, err := Load(Sources{File: file, Environ: []string{}})
			golden(t, strings.TrimSuffix(file, ".yaml")+".txt", problemLines(t, err))
		})
	}
}

func problemLines(t *testing.T, err error) string {
	t.Helper()
	var all *Error
	if !errors.As(err, &all) {
		t.Fatalf("the error is %T (%v), want *Error", err, err)
	}
	var lines strings.Builder
	for _, p := range all.Problems {
		lines.WriteString(string(p.Kind) + " " + p.Error() + "\n")
	}
	return filepath.ToSlash(lines.String())
}

func TestProblemsOfTheOtherLayers(t *testing.T) {
	for _, test := range []struct {
		name    string
		dotEnv  string
		sources Sources
		want    string
	}{
		{
			name:    "a variable with the wrong type",
			sources: Sources{Environ: []string{"HERMES_CDP_BROWSER_HEADLESS=maybe"}},
			want:    `wrong_type HERMES_CDP_BROWSER_HEADLESS: browser.headless is "maybe", but must be true or false`,
		},
		{
			name:    "a variable for a list that is a map",
			sources: Sources{Environ: []string{"HERMES_CDP_BROWSER_ARGS={a: b}"}},
			want:    `wrong_type HERMES_CDP_BROWSER_ARGS: browser.args is a map, but must be a list of texts`,
		},
		{
			name:    "a list with an empty item",
			sources: Sources{Set: []string{"browser.args=--x,,--y"}},
			want: `bad_value --set: browser.args is "--x,,--y", which has an item that is empty or in quotes; ` +
				`write it as JSON, such as ["one, with a comma", "two"]`,
		},
		{
			name:    "a list with an item in quotes",
			sources: Sources{Environ: []string{`HERMES_CDP_TOOLSETS="browser,web"`}},
			want: `bad_value HERMES_CDP_TOOLSETS: toolsets is "\"browser,web\"", which has an item that is empty or in quotes; ` +
				`write it as JSON, such as ["one, with a comma", "two"]`,
		},
		{
			name:    "an item of a list of words",
			sources: Sources{Set: []string{"plugins.dialog-policy.capabilities=kv,stat"}},
			want: `bad_value --set: plugins.dialog-policy.capabilities is a list, but "stat" in it is none of kv, state, page; ` +
				`did you mean state?`,
		},
		{
			name:    "a reference without a digest",
			sources: Sources{Set: []string{"plugins.far.url=oci://registry.example/policies/guard:1.2"}},
			want: `bad_value --set: plugins.far.url is "oci://registry.example/policies/guard:1.2", but must have the digest of the manifest (@sha256:...), ` +
				`because a tag can change; hermes-cdp plugin inspect oci://registry.example/policies/guard:1.2 shows it`,
		},
		{
			name:    "a reference with a password is not shown",
			sources: Sources{Set: []string{"plugins.far.url=oci://u:hidden@registry.example/guard"}},
			want: `bad_value --set: plugins.far.url is "oci://[redacted]@registry.example/guard", but cannot be read: it is not a reference such as ` +
				`oci://registry.example/policies/guard:1.2@sha256:DIGEST, with the host of a registry, a repository in small letters, and a tag, ` +
				`a digest of 64 hexadecimal digits, or both`,
		},
		{
			name:    "a place with a tag",
			sources: Sources{Set: []string{"plugins.dialog-policy.sources=/etc,oci://registry.example/guard:1"}},
			want: `bad_value --set: plugins.dialog-policy.sources is a list, but "oci://registry.example/guard:1" in it is not a place; ` +
				`want files, directories, https:// URLs, registries such as oci://registry.example/policies, or the word shipped`,
		},
		{
			name:    "an address that was not given to a key is not shown",
			sources: Sources{Set: []string{"wss://u:p@host/?token=hidden"}},
			want:    `unknown_key --set: wss://[redacted]@host/?[redacted] is no key`,
		},
		{
			name:    "a pair without an equals sign does not show its address",
			sources: Sources{Set: []string{"wss://u:p@host/?hidden"}},
			want:    `syntax --set: "wss://[redacted]@host/?[redacted]" must be key=value`,
		},
		{
			name:    "an unknown key gets the nearest one",
			sources: Sources{Set: []string{"browser.headles=true"}},
			want:    `unknown_key --set: browser.headles is no key; did you mean browser.headless?`,
		},
		{
			name:    "an unknown key finds its section",
			sources: Sources{Set: []string{"cdp_url=ws://x"}},
			want:    `unknown_key --set: cdp_url is no key; did you mean browser.cdp_url?`,
		},
		{
			name:    "an unknown key of a plugin keeps the plugin's name",
			sources: Sources{Set: []string{"plugins.my-own.limits.memory=3"}},
			want:    `unknown_key --set: plugins.my-own.limits.memory is no key; did you mean plugins.my-own.limits.memory_mb?`,
		},
		{
			name:    "a misspelt plugin",
			sources: Sources{Set: []string{"plugins.dialog-polcy.config.policy=x"}},
			want:    `bad_value --set: plugins.dialog-polcy has neither a path nor a url, and it is none of the plugins that need none (bridge-script, dialog-policy, frame-filter); did you mean dialog-policy?`,
		},
		{
			name:    "a pair without a value for a number",
			sources: Sources{Set: []string{"browser.read_limit_mb="}},
			want:    `wrong_type --set: browser.read_limit_mb is empty, but must be an integer`,
		},
		{
			name:    "a value that is no YAML",
			sources: Sources{Set: []string{"browser.args=[a"}},
			want:    `syntax --set: the value of browser.args is no valid YAML; it must be a list of texts`,
		},
		{
			name:    "a flag",
			sources: Sources{Flags: []Flag{{Name: "--log-level", Key: "log.level", Value: "wran"}}},
			want:    `bad_value --log-level: log.level is "wran", but must be one of debug, info, warn, error; did you mean warn?`,
		},
		{
			name:    "a .env file with a bad line does not show it",
			dotEnv:  "A=1\nB='two\nlines'\nthis is a secret\nC=3\n",
			sources: Sources{},
			want:    `syntax ENV: line 4 is not NAME=value`,
		},
		{
			name:    "a value in a .env file",
			dotEnv:  "HERMES_CDP_LOG_FORMAT=xml\n",
			sources: Sources{},
			want:    `bad_value HERMES_CDP_LOG_FORMAT in ENV: log.format is "xml", but must be one of text, json`,
		},
		{
			name:    "a secret under a plugin's configuration is not shown",
			sources: Sources{Set: []string{"plugins.dialog-policy.config.api_token=.nan"}},
			want:    `bad_value --set: plugins.dialog-policy.config.api_token is "[redacted]", but must contain finite numbers only`,
		},
		{
			name:    "a toolset that is no list",
			sources: Sources{Set: []string{"custom_toolsets.mine={a: b}"}},
			want:    `bad_value --set: custom_toolsets.mine is a map, but mine must be a list of toolsets and tools`,
		},
		{
			name:    "a toolset of what is no text",
			sources: Sources{Set: []string{"platform_toolsets={hermes-cli: [browser, 7]}"}},
			want:    `bad_value --set: platform_toolsets is a map, but hermes-cli must be a list of texts, and has 7`,
		},
		{
			name:    "a toolset with a name that cannot be written elsewhere",
			sources: Sources{Set: []string{"custom_toolsets={my own: [browser]}"}},
			want:    `bad_value --set: custom_toolsets is a map, but "my own" in it is no name; only letters, digits, _ and - are allowed`,
		},
		{
			name:    "an MCP server without a way to it",
			sources: Sources{Set: []string{"mcp_servers.files.args=[x]"}},
			want:    `bad_value --set: mcp_servers.files has neither a command, which starts the server, nor the url of one that runs`,
		},
		{
			name:    "an MCP server with two ways to it",
			sources: Sources{Set: []string{"mcp_servers.files={command: serve, url: 'https://u:hidden@host/?hidden'}"}},
			want:    `bad_value --set: mcp_servers.files.url is "https://[redacted]@host/?[redacted]", but mcp_servers.files.command is given too: a server is started or is at an address; set the other to an empty text`,
		},
		{
			name:    "variables for an MCP server that is not started",
			sources: Sources{Set: []string{"mcp_servers.files={url: 'http://host', env: {A: hidden}}"}},
			want:    `bad_value --set: mcp_servers.files has a url, and args, env or cwd, which are for a command`,
		},
		{
			name:    "headers for an MCP server that is started",
			sources: Sources{Set: []string{"mcp_servers.files={command: serve, headers: {A: hidden}}"}},
			want:    `bad_value --set: mcp_servers.files has a command, and headers, which are for a url; give a program its secrets by env`,
		},
		{
			name:    "a name of an MCP server that is none",
			sources: Sources{Set: []string{"mcp_servers={My Files: {command: serve}}"}},
			want:    `bad_value --set: "My Files" is no name of an MCP server; only a-z, 0-9 and - are allowed, at most 32 of them`,
		},
		{
			name:    "an unknown key of an MCP server",
			sources: Sources{Set: []string{"mcp_servers.files.comand=serve"}},
			want:    `unknown_key --set: mcp_servers.files.comand is no key; did you mean mcp_servers.files.command?`,
		},
		{
			name:    "an address of an MCP server that is none",
			sources: Sources{Set: []string{"mcp_servers.files.url=ws://host"}},
			want:    `bad_value --set: mcp_servers.files.url is "ws://host", but must be an http:// or https:// address with a host`,
		},
		{
			name:    "a variable that is no text",
			sources: Sources{Set: []string{"mcp_servers.files={command: serve, env: {PIN: 1234}}"}},
			want:    `bad_value --set: mcp_servers.files.env is a map, but PIN must be text: quote it`,
		},
		{
			name:    "a header that is no name",
			sources: Sources{Set: []string{"mcp_servers.files={url: 'http://host', headers: {'A B': hidden}}"}},
			want:    `bad_value --set: mcp_servers.files.headers is a map, but "A B" in it is not the name of a header`,
		},
		{
			name:    "a header of two lines",
			sources: Sources{Set: []string{"mcp_servers.files.url=http://host", `mcp_servers.files.headers.Authorization="hidden\r\nhidden"`}},
			want:    `bad_value --set: mcp_servers.files.headers.Authorization is "[redacted]", but Authorization must not contain a NUL byte, nor a header the end of a line`,
		},
		{
			name:    "a pattern that is none",
			sources: Sources{Set: []string{"mcp_servers.files.command=serve", "mcp_servers.files.include=['read_[']"}},
			want:    `bad_value --set: mcp_servers.files.include is a list, but "read_[" in it is no pattern: a [ has no ], or a \ has nothing after it`,
		},
		{
			name:    "a time of an MCP server that is out of bounds",
			sources: Sources{Set: []string{"mcp_servers.files={command: serve, timeout_s: 4000}"}},
			want:    `bad_value --set: mcp_servers.files.timeout_s is 4000, but must be from 0 to 3600`,
		},
		{
			name:    "the control address must be out of reach of other machines",
			sources: Sources{Set: []string{"control.address=0.0.0.0:9333"}},
			want:    `bad_value --set: control.address is "0.0.0.0:9333", but must be a loopback address and a port, such as 127.0.0.1:9333: who reaches it controls the browsers`,
		},
		{
			name:    "an address of a model that is none",
			sources: Sources{Set: []string{"vision.url=ftp://me:hidden@host/"}},
			want:    `bad_value --set: vision.url is "ftp://[redacted]@host/", but must be an http:// or https:// address with a host`,
		},
		{
			name:    "a key that is no text",
			sources: Sources{Set: []string{"vision={api_key: [hidden]}"}},
			want:    `wrong_type --set: vision.api_key is a list, but must be text`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, environ := home(t, "", test.dotEnv)
			test.sources.Environ = append(environ, test.sources.Environ...)
			cfg, report, err := Load(test.sources)
			if cfg != nil || report == nil {
				t.Error("a faulty configuration is returned, or no report")
			}
			if strings.Contains(fmt.Sprintf("%#v", err), "hidden") {
				t.Errorf("the error holds a secret: %#v", err)
			}
			got := strings.TrimSuffix(problemLines(t, err), "\n")
			got = strings.ReplaceAll(got, filepath.Join(dir, ".config", "hermes-cdp", ".env"), "ENV")
			if got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestProblemsOfAllLayersComeTogether(t *testing.T) {
	_, environ := home(t, "log: {level: loud}", "HERMES_CDP_LOG_FORMAT=xml")
	_, _, err := Load(Sources{
		Environ: append(environ, "HERMES_CDP_BROWSER_DIALOG_BRIDGE=perhaps"),
		Flags:   []Flag{{Name: "--log-level", Key: "log.level", Value: "9"}},
		Set:     []string{"x=1", "y=2"},
	})
	var all *Error
	if !errors.As(err, &all) || len(all.Problems) != 6 {
		t.Fatalf("problems: %v", err)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("the error has more than one line: %q", err)
	}
	var one Problem
	if !errors.As(err, &one) || one.Key != "log.level" {
		t.Errorf("the first problem is %v", one)
	}
}
