package config

import (
	"reflect"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

func TestAgentOptions(t *testing.T) {
	_, environ := home(t, "toolsets: [mine]\ncustom_toolsets: {mine: [browser-read, browser_click]}\nplatform_toolsets: {hermes-cli: [all]}\n"+
		"disabled_tools: [browser_cdp]\nbrowser: {evaluate_enabled: false, tool_timeout_s: 2.5, screenshot_keep_h: 0.5, download_dir: /downloads}\n"+
		"mcp_servers: {files: {command: serve}, off: {url: 'http://host', enabled: false}}\n", "")
	cfg, _, err := Load(Sources{Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	want := agent.Options{
		Toolsets: agent.Toolsets{
			Use: []string{"mine"}, Custom: map[string][]string{"mine": {"browser-read", "browser_click"}},
			Platforms: map[string][]string{"hermes-cli": {"all"}}, Disabled: []string{"browser_cdp"},
		},
		Browser: agent.BrowserOptions{
			Timeout: 2500 * time.Millisecond, ScreenshotKeep: 30 * time.Minute, ScreenshotDir: cfg.Browser.ScreenshotDir, DownloadDir: "/downloads",
		},
		EvaluateDisabled: true, Sources: []string{"mcp-files", "mcp-off"},
	}
	if got := cfg.AgentOptions(); !reflect.DeepEqual(got, want) || got.Browser.ScreenshotDir == "" {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
