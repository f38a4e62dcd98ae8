package options_test

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
)

func TestAgentOptions(t *testing.T) {
	_, environ := home(t, "toolsets: [mine]\ncustom_toolsets: {mine: [browser-read, browser_click]}\nplatform_toolsets: {hermes-cli: [all]}\n"+
		"disabled_tools: [browser_cdp]\nbrowser: {evaluate_enabled: false, tool_timeout_s: 2.5, screenshot_keep_h: 0.5, screenshot_total_mb: 3, download_dir: /downloads}\n"+
		"mcp_servers: {files: {command: serve}, off: {url: 'http://host', enabled: false}}\n", "")
	cfg, _, err := config.Load(config.Sources{Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	want := agent.Options{
		Toolsets: agent.Toolsets{
			Use: []string{"mine"}, Custom: map[string][]string{"mine": {"browser-read", "browser_click"}},
			Platforms: map[string][]string{"hermes-cli": {"all"}}, Disabled: []string{"browser_cdp"},
		},
		Browser: agent.BrowserOptions{
			Timeout: 2500 * time.Millisecond, ScreenshotKeep: 30 * time.Minute, ScreenshotBytes: 3 << 20, ScreenshotDir: cfg.Browser.ScreenshotDir, DownloadDir: "/downloads",
		},
		EvaluateDisabled: true, Sources: []string{"mcp-files", "mcp-off"},
	}
	if got := options.Agent(cfg); !reflect.DeepEqual(got, want) || got.Browser.ScreenshotDir == "" {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestUpstreamOptions(t *testing.T) {
	dir, environ := home(t, `
mcp_servers:
  files: {command: ./serve, args: [--all], env: {TOKEN: "${FILES_TOKEN}", MODE: fast}, cwd: work, include: ["read_*"], exclude: [read_all], timeout_s: 2.5}
  web: {url: "https://host/mcp?token=x", headers: {Authorization: "Bearer ${WEB_TOKEN}"}, enabled: false}
`, "FILES_TOKEN=from-dotenv\n")
	cfg, report, err := config.Load(config.Sources{Environ: append(environ, "HERMES_CDP_MCP_SERVERS_FILES_ENV_Mode=slow", "HERMES_CDP_MCP_SERVERS_WEB_TIMEOUT_S=9")})
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, ".config", "hermes-cdp")
	o := options.Upstream(cfg, report.Getenv, "v1", nil)
	want := map[string]upstream.Server{
		"files": {
			Command: filepath.Join(at, "serve"), Args: []string{"--all"}, Dir: filepath.Join(at, "work"),
			Env:     map[string]string{"TOKEN": "${FILES_TOKEN}", "MODE": "fast", "Mode": "slow"},
			Include: []string{"read_*"}, Exclude: []string{"read_all"}, Timeout: 2500 * time.Millisecond,
		},
		"web": {
			URL: "https://host/mcp?token=x", Headers: map[string]string{"Authorization": "Bearer ${WEB_TOKEN}"}, Timeout: 9 * time.Second, Disabled: true,
		},
	}
	if !reflect.DeepEqual(o.Servers, want) {
		t.Errorf("got %+v, want %+v", o.Servers, want)
	}
	if o.Timeout != 30*time.Second || o.Version != "v1" || o.Getenv("FILES_TOKEN") != "from-dotenv" {
		t.Errorf("got %v, %s, %s", o.Timeout, o.Version, o.Getenv("FILES_TOKEN"))
	}
}
