package config

import (
	"slices"
	"strings"
	"testing"
)

// Each way to write a list gives the same in a variable and after --set.
func TestAListIsItsItemsWithCommasBetweenOrJSON(t *testing.T) {
	cases := []struct {
		name, text string
		want       []string
	}{
		{"one item", "--lang=de", []string{"--lang=de"}},
		{"several", "--lang=de,--mute-audio", []string{"--lang=de", "--mute-audio"}},
		{"spaces around the commas", " --lang=de , --mute-audio ", []string{"--lang=de", "--mute-audio"}},
		{"items that YAML would not take for texts", "1,true,null,a: b,#c", []string{"1", "true", "null", "a: b", "#c"}},
		{"the sign of a merge, which is one only as a key", "[<<, a]", []string{"<<", "a"}},
		{"YAML", "[--lang=de, --mute-audio]", []string{"--lang=de", "--mute-audio"}},
		{"JSON, with a comma in an item", `["--window-size=800,600", "--x"]`, []string{"--window-size=800,600", "--x"}},
		{"JSON after a space", ` ["a"]`, []string{"a"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, environ := home(t, "", "")
			for layer, sources := range map[Layer]Sources{
				LayerSet:         {Environ: environ, Set: []string{"browser.args=" + c.text}},
				LayerEnvironment: {Environ: append(slices.Clone(environ), "HERMES_CDP_BROWSER_ARGS="+c.text)},
			} {
				cfg, _, err := Load(sources)
				if err != nil {
					t.Errorf("%s: %v", layer, err)
				} else if !slices.Equal(cfg.Browser.Args, c.want) {
					t.Errorf("%s: args are %q, want %q", layer, cfg.Browser.Args, c.want)
				}
			}
		})
	}
}

func TestEveryListTakesCommas(t *testing.T) {
	_, environ := home(t, "plugins: {mine: {path: mine.wasm}}\nmcp_servers: {search: {command: search}}\n", "")
	for _, key := range newSchema().keys {
		if key.Type != TypeList {
			continue
		}
		path := strings.Replace(key.Path, AnyName, map[string]string{"plugins": "mine", "mcp_servers": "search"}[key.parts[0]], 1)
		want := []string{"one", "two"}
		if len(key.Allowed) > 1 {
			want = key.Allowed[:2]
		}
		switch key.format {
		case "credentials":
			want = []string{"https://${USER}:${PASSWORD}@a.example", "http://${USER}:${PASSWORD}@b.example:8080"}
		case "levels":
			want = []string{"engine=debug", "host/server/mcp=warn"}
		case "permissions":
			want = []string{"https://a.example geolocation", "https://b.example:8080 clipboard-read"}
		}
		text := want[0] + "," + want[1]
		for _, sources := range []Sources{
			{Environ: environ, Set: []string{path + "=" + text}}, {Environ: append(slices.Clone(environ), Variable(path)+"="+text)},
		} {
			_, report, err := Load(sources)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			if got, _ := valueOf(t, report, path).Value.([]string); !slices.Equal(got, want) {
				t.Errorf("%s is %q, want %q", path, got, want)
			}
		}
	}
}

func TestANamedToolsetTakesCommas(t *testing.T) {
	_, environ := home(t, "", "")
	cfg, _, err := Load(Sources{Environ: environ, Set: []string{"platform_toolsets.hermes-cli=browser-full,web", "custom_toolsets.web=browser_navigate"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := cfg.PlatformToolsets["hermes-cli"]; !slices.Equal(got, []string{"browser-full", "web"}) {
		t.Errorf("the client's toolsets are %q", got)
	}
	if got := cfg.CustomToolsets["web"]; !slices.Equal(got, []string{"browser_navigate"}) {
		t.Errorf("the toolset is %q", got)
	}
}
