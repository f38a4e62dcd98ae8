package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const hiddenKey = "bb_live_7f3a9c51"

// loadText loads a file and a .env file beside it.
func loadText(t *testing.T, file, dotEnv string, environ, set []string) (*Config, *Report, error) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "config.yaml")
	for name, text := range map[string]string{path: file, filepath.Join(dir, ".env"): dotEnv} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Load(Sources{File: path, Environ: append([]string{}, environ...), Set: set})
}

func TestKeysOfAStartedBrowserAreSaidToDoNothingAtAnAddress(t *testing.T) {
	for file, want := range map[string]string{
		`browser: {cdp_url: "9222", profile: work, dialog_policy: auto_accept}`: "browser.profile browser.sandbox",
		`browser: {cdp_url: "9222", headless: true, args: [--mute-audio]}`:      "browser.headless browser.args browser.sandbox",
		"browser: {profile: work}": "",
	} {
		_, report, err := loadText(t, file, "", nil, []string{"browser.sandbox=on"})
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, w := range report.Warnings {
			key, _, _ := strings.Cut(w.Text, " has no effect on the browser at browser.cdp_url")
			keys = append(keys, key)
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("%s: the warnings are of %q, want %q", file, got, want)
		}
	}
}

func TestAKeyThatIsWrittenDownIsRefusedAndNotShown(t *testing.T) {
	for text, want := range map[string]string{
		"BROWSERBASE_API_KEY: " + hiddenKey:                                    "such as BROWSERBASE_API_KEY",
		"browserbase: {api_key: " + hiddenKey + "}":                            "such as BROWSERBASE_API_KEY",
		"browser: {browserbase_api_key: " + hiddenKey + "}":                    "such as BROWSERBASE_API_KEY",
		"browser_use: {key: " + hiddenKey + "}":                                "such as BROWSER_USE_API_KEY",
		"browser: {browser-use: " + hiddenKey + "}":                            "such as BROWSER_USE_API_KEY",
		"firecrawl: " + hiddenKey:                                              "such as FIRECRAWL_API_KEY",
		"provider: {headers: {Authorization: Bearer " + hiddenKey + "}}":       "provider.headers.Authorization has a key in it",
		"provider: {headers: {X-Service-Key: " + hiddenKey + "}}":              "write ${NAME} here",
		"provider: {body: {auth: {token: " + hiddenKey + "}}}":                 "provider.body.auth.token has a key in it",
		"provider: {release_body: {apiKey: " + hiddenKey + "}}":                "provider.release_body.apiKey has a key in it",
		"provider: {url: 'https://service.test/rent?token=" + hiddenKey + "'}": "provider.url has a key in it",
	} {
		_, _, err := loadText(t, text, "", nil, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "the file .env") || strings.Contains(err.Error(), hiddenKey) {
			t.Errorf("%s gives %v", text, err)
		}
	}
	if _, _, err := loadText(t, "", "", nil, []string{"provider.headers.Authorization=" + hiddenKey}); err == nil || strings.Contains(err.Error(), hiddenKey) {
		t.Errorf("a key on the command line gives %v", err)
	}
	if _, _, err := loadText(t, "browser: {user_agnet: x}", "", nil, nil); err == nil || strings.Contains(err.Error(), "BROWSER_USE") {
		t.Errorf("another unknown key gives %v", err)
	}
}

func TestKeysOfServicesComeFromTheEnvironmentAndAreNotShown(t *testing.T) {
	file := "browser: {provider: cdp}\nprovider: {url: 'https://service.test/rent?token=${KEY}', headers: {Authorization: 'Bearer ${KEY}', Region: eu}, release_url: 'https://service.test/{id}'}\n"
	cfg, report, err := loadText(t, file, "KEY="+hiddenKey+"\nBROWSERBASE_API_KEY="+hiddenKey+"\n", []string{"HERMES_CDP_PROVIDER_HEADERS_X-KEY=" + hiddenKey}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Getenv("KEY") != hiddenKey || report.Getenv("BROWSERBASE_API_KEY") != hiddenKey || cfg.Provider.Headers["x-key"] != hiddenKey || cfg.Provider.ID != "/id" {
		t.Errorf("it is %+v", cfg.Provider)
	}
	shown := map[string]any{}
	for _, v := range report.Values {
		if strings.Contains(v.Text(), hiddenKey) {
			t.Errorf("the report shows the key under %s: %s", v.Key, v.Text())
		}
		shown[v.Key] = v.Value
	}
	if shown["provider.headers.Authorization"] != "Bearer ${KEY}" || shown["provider.headers.x-key"] != Redacted || shown["browser.provider"] != "cdp" {
		t.Errorf("the report has %v", shown)
	}
}
