package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// sample draws a value for a key that no layer redacts or resolves.
func sample(t *rapid.T, key Key) any {
	switch key.Type {
	case TypeBool:
		return rapid.Bool().Draw(t, key.Path)
	case TypeInteger:
		return rapid.IntRange(int(key.Min), int(key.Max)).Draw(t, key.Path)
	case TypeNumber:
		return rapid.Float64Range(key.Min, key.Max).Draw(t, key.Path)
	case TypeList:
		if len(key.Allowed) > 0 {
			return rapid.SliceOfN(rapid.SampledFrom(key.Allowed), 1, 4).Draw(t, key.Path)
		}
		if key.format == "globs" {
			return rapid.SliceOfN(rapid.StringMatching(`[a-z_*?]{1,8}|[a-z]\[a-z\]`), 1, 4).Draw(t, key.Path)
		}
		texts := map[string]*rapid.Generator[string]{
			"networks": rapid.SampledFrom([]string{"loopback", "10.1.0.0/16", "::1", "*.corp.example", "intranet"}),
			"schemes":  rapid.StringMatching(`[a-z][a-z0-9+.-]{0,8}`), "variables": rapid.StringMatching(`[A-Z_]{1,8}\*?`),
			"paths":       rapid.StringMatching(`(/[a-zA-Z0-9 ._'"#:{-]{1,9}){1,3}`).Filter(isCleanPath),
			"credentials": rapid.SampledFrom([]string{"https://${USER}:${PASSWORD}@intranet.example", "http://${U_1}:${P}@localhost:8080", "https://${U}:${P}@[::1]:1"}),
			"levels":      rapid.StringMatching(`[a-z]{1,9}(/[a-z]{1,9}){0,2}=(debug|info|warn|error)`),
			"permissions": rapid.StringMatching(`https://[a-z]{1,9}\.example(:[1-9]{2})? (geolocation|clipboard-read)`),
			"places":      rapid.SampledFrom([]string{"/etc/modules", "/a, b.wasm", "https://modules.example/x", "oci://registry.example/policies", "shipped"}),
		}[key.format]
		if texts == nil {
			texts = drawText()
		}
		return rapid.SliceOfN(texts, 1, 4).Draw(t, key.Path)
	case TypeMap:
		if key.format == "toolsets" {
			return rapid.MapOfN(drawToolset(), rapid.Map(rapid.SliceOfN(drawText().AsAny(), 0, 3), func(list []any) any { return list }), 1, 4).Draw(t, key.Path)
		}
		if key.isSecretMap() {
			return rapid.MapOfN(rapid.StringMatching(`[A-Z][A-Z-]{0,8}`), rapid.SampledFrom([]any{reference, "Bearer " + reference, ""}), 1, 4).Draw(t, key.Path)
		}
		return rapid.MapOfN(drawName(), drawFree(3), 1, 4).Draw(t, key.Path)
	}
	switch {
	case len(key.Allowed) > 0:
		return rapid.SampledFrom(key.Allowed).Draw(t, key.Path)
	case key.format == "sha256":
		return rapid.StringMatching(`[0-9a-f]{64}`).Draw(t, key.Path)
	case key.format == "profile":
		return rapid.StringMatching(`[a-z0-9][a-z0-9._-]{0,9}`).Draw(t, key.Path)
	case key.format == "regexp":
		return rapid.StringMatching(`https://[a-z]{1,9}\\\.example/(a|b)`).Draw(t, key.Path)
	case key.format == "proxy":
		return rapid.SampledFrom([]string{"http://proxy:8080", "socks5h://[::1]:1080", "https://p.example"}).Draw(t, key.Path)
	case key.format == "geolocation":
		return rapid.StringMatching(`-?[1-8]?[0-9](\.[0-9]{1,3})? -?[1-9]?[0-9]`).Draw(t, key.Path)
	case key.format == "address":
		return rapid.StringMatching(`((ws|http)://)?[a-z][a-z0-9]{0,9}:[1-9][0-9]{0,3}`).Draw(t, key.Path)
	case key.format == "https or oci":
		return rapid.StringMatching(`https://[a-z]{1,9}\.example/[a-z]{1,9}|oci://[a-z]{1,9}\.example/[a-z]{1,9}(:[a-z]{1,9})?@sha256:[0-9a-f]{64}`).Draw(t, key.Path)
	case key.format == "http":
		return rapid.StringMatching(`https?://[a-z]{1,9}(:[1-9]{2})?/[a-z]{1,9}`).Draw(t, key.Path)
	case key.format == "secret": // another is redacted
		return ""
	case key.format == "pointer":
		return rapid.StringMatching(`(/[a-z0-9~]{1,9}){1,3}`).Draw(t, key.Path)
	case key.format == "minisign":
		return rapid.SampledFrom([]string{minisignKey, "RWQAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYn"}).Draw(t, key.Path)
	case key.format == "metrics":
		return rapid.StringMatching(`(127\.0\.0\.1|metrics\.example|\[::1\])?:[1-9][0-9]{3}`).Draw(t, key.Path)
	case key.format == "listen":
		return rapid.SampledFrom([]string{"127.0.0.1:9334", "live.example:80", "[::1]:0", "off"}).Draw(t, "listening address")
	case key.format == "loopback":
		return rapid.SampledFrom([]string{"127.0.0.1:9333", "localhost:80", "[::1]:1"}).Draw(t, "loopback address")
	case key.format == "path", key.format == "executable", key.format == "path or https":
		return rapid.StringMatching(`(/[a-zA-Z0-9 ._'"#:{-]{1,9}){1,3}`).Filter(isCleanPath).Draw(t, key.Path)
	default:
		return drawText().Draw(t, key.Path)
	}
}

// minisignKey is a public key in the form of minisign's.
const minisignKey = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"

// reference is all that a layer shows of a secret.
const reference = "${TOKEN}"

// agree makes the keys of each plugin and server go together.
func agree(root map[string]any) {
	servers, _ := root["mcp_servers"].(map[string]any)
	for _, s := range servers {
		keys := s.(map[string]any)
		if keys["url"] == nil {
			keys["command"] = "serve"
			delete(keys, "headers")
			continue
		}
		for _, of := range []string{"command", "args", "env", "cwd"} {
			delete(keys, of)
		}
	}
	plugins, _ := root["plugins"].(map[string]any)
	for _, p := range plugins {
		keys := p.(map[string]any)
		if keys["path"] != nil {
			delete(keys, "url")
		}
		if keys["url"] != nil {
			keys["sha256"] = strings.Repeat("0", 64)
		}
		if keys["sigstore"] != nil {
			keys["sigstore"] = map[string]any{"issuer": "https://issuer.example", "identity_pattern": ".+@example", "trusted_root": "/root.json"}
			delete(keys, "public_key")
		}
		if keys["public_key"] == nil && keys["sigstore"] == nil {
			delete(keys, "signature")
		}
	}
	if vision, ok := root["vision"].(map[string]any); ok && vision["url"] != nil {
		vision["model"] = "a-model"
		delete(vision, "api_key_file") // over http it would be refused
	}
}

// companions are what a key needs beside it.
func companions(path string) []string {
	switch {
	case path == "vision.url":
		return []string{"vision.model=a-model"}
	case strings.HasPrefix(path, "mcp_servers.") && strings.HasSuffix(path, ".headers"):
		return []string{strings.TrimSuffix(path, "headers") + "url=http://server/mcp"}
	case strings.HasPrefix(path, "mcp_servers.") && !strings.HasSuffix(path, ".url") && !strings.HasSuffix(path, ".command"):
		return []string{path[:strings.LastIndex(path, ".")] + ".command=serve"}
	case strings.HasPrefix(path, "mcp_servers."):
	case strings.HasPrefix(path, "plugins.") && strings.HasSuffix(path, ".url"):
		return []string{strings.TrimSuffix(path, "url") + "sha256=" + strings.Repeat("0", 64)}
	case strings.HasPrefix(path, "plugins.") && strings.Contains(path, ".sigstore."):
		at, key, _ := strings.Cut(path, ".sigstore.")
		all := []string{"issuer=https://issuer.example", "identity=me@example", "trusted_root=/root.json"}
		return slices.DeleteFunc(prefixed(at+".sigstore.", all), func(text string) bool {
			return strings.HasPrefix(text, path+"=") || strings.HasPrefix(key, "identity") && strings.HasPrefix(text, at+".sigstore.identity=")
		})
	case strings.HasSuffix(path, ".signature"):
		return []string{strings.TrimSuffix(path, "signature") + "public_key=" + minisignKey}
	}
	return nil
}

func prefixed(prefix string, texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = prefix + text
	}
	return out
}

func isCleanPath(path string) bool { return filepath.Clean(path) == path }

// drawText draws texts that look like other things in YAML.
func drawText() *rapid.Generator[string] {
	odd := rapid.SampledFrom([]string{"null", "~", "true", "12", "1e5", "'", `"`, `"a`, "'a'", "[a", "{}", "a: b", "# c", " x ", "-", "é\t\n", "2020-01-01", "=", "\\", "$HOME"})
	return rapid.OneOf(odd, rapid.StringMatching(`[ -9;-~äß☃]{1,12}`)).Filter(func(s string) bool { return s != "" && RedactText(s) == s })
}

func drawName() *rapid.Generator[string] {
	return rapid.StringMatching(`[a-zA-Z0-9_. -]{1,8}`).Filter(func(s string) bool { return !secret.Name(s) })
}

func drawToolset() *rapid.Generator[string] {
	return rapid.StringMatching(`[a-zA-Z0-9_-]{1,8}`).Filter(func(s string) bool { return !secret.Name(s) })
}

// drawFree draws what JSON can express, in the Go types that Load gives.
func drawFree(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.IntRange(-1<<53, 1<<53).AsAny(), drawText().AsAny(),
		rapid.Map(rapid.IntRange(-1<<20, 1<<20), func(n int) any { return float64(n) + 0.5 }),
	}
	if depth == 0 {
		return rapid.OneOf(leaves...)
	}
	return rapid.OneOf(append(leaves,
		rapid.Map(rapid.SliceOfN(drawFree(depth-1), 0, 3), func(list []any) any { return list }),
		rapid.MapOfN(drawName(), drawFree(depth-1), 0, 3).AsAny())...)
}

// names are the plugins and servers that the property tests configure.
var names = map[string][]string{"plugins": {"dialog-policy", "frame-filter"}, "mcp_servers": {"files", "web-2"}}

func pathsOf(key Key) []string {
	family, named := familyOf(key.parts)
	if !named {
		return []string{key.Path}
	}
	var paths []string
	for _, name := range names[family.key] {
		paths = append(paths, strings.Replace(key.Path, AnyName, name, 1))
	}
	return paths
}

func TestAValidConfigurationSurvivesShowAndLoad(t *testing.T) {
	schema := compiledSchema(t)
	rapid.Check(t, func(t *rapid.T) {
		root := map[string]any{}
		for _, key := range Keys() {
			for _, path := range pathsOf(key) {
				if rapid.Bool().Draw(t, "given") {
					set(root, strings.Split(path, "."), sample(t, key))
				}
			}
		}
		agree(root)
		dir, err := os.MkdirTemp("", "config")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "config.yaml")
		text, err := yaml.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		loaded, report, err := Load(Sources{File: file, Environ: []string{}})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := validateYAML(schema, text); err != nil {
			t.Fatalf("editors take it for wrong: %v\n%s", err, text)
		}
		var pairs []string
		for _, v := range report.Values {
			pairs = append(pairs, v.Key+"="+v.Text())
		}
		again, _, err := Load(Sources{Environ: []string{}, Set: pairs})
		if err != nil {
			t.Fatalf("%v\n%s", err, strings.Join(pairs, "\n"))
		}
		if !reflect.DeepEqual(loaded, again) {
			t.Fatalf("shown and loaded again:\n%#v\nwas\n%#v\nof\n%s\nby\n%s", again, loaded, text, strings.Join(pairs, "\n"))
		}
	})
}

// Each key is given in one layer alone, then found in the result with that layer as its origin.
func TestEveryKeyCanBeSetByEachLayer(t *testing.T) {
	for _, layer := range []Layer{LayerFile, LayerDotEnv, LayerEnvironment, LayerFlag, LayerSet} {
		t.Run(string(layer), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				key := rapid.SampledFrom(Keys()).Filter(func(k Key) bool { return k.format != "secret" }).Draw(t, "key")
				path := pathsOf(key)[0]
				value := rapid.Custom(func(t *rapid.T) any { return sample(t, key) }).Filter(fitsIn(layer)).Draw(t, "value")
				var depth any = 2
				switch {
				case key.format == "toolsets":
					depth = []string{"browser"}
				case key.isSecretMap():
					depth = reference
				}
				if key.Type == TypeMap {
					value = map[string]any{"depth": depth}
				}
				report := loadOne(t, layer, path, value)
				want := []Value{{Key: path, Value: value}}
				if key.Type == TypeMap {
					want[0] = Value{Key: path + ".depth", Value: depth}
				}
				for _, v := range report.Values {
					if v.Key == want[0].Key {
						if !reflect.DeepEqual(v.Value, want[0].Value) || v.Origin.Layer != layer {
							t.Fatalf("%s is %#v from %s, want %#v from %s", v.Key, v.Value, v.Origin.Layer, value, layer)
						}
						return
					}
				}
				t.Fatalf("the report has no %s", want[0].Key)
			})
		})
	}
}

// fitsIn leaves out what a .env file cannot express: its single quotes have no escapes.
func fitsIn(layer Layer) func(any) bool {
	return func(value any) bool {
		return layer != LayerDotEnv || !strings.ContainsAny(Value{Value: value}.Text(), `'\`)
	}
}

// loadOne gives one value in one layer.
func loadOne(t *rapid.T, layer Layer, path string, value any) *Report {
	dir, err := os.MkdirTemp("", "config")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file, dotEnv := filepath.Join(dir, "config.yaml"), filepath.Join(dir, ".env")
	text := Value{Value: value}.Text()
	sources := Sources{File: file, Environ: []string{}, Set: companions(path)}
	content := ""
	if strings.HasPrefix(path, "mcp_servers.") {
		content = "mcp_servers: {files: {}}" // variables know those in the file alone
	}
	switch layer {
	case LayerFile:
		root := map[string]any{}
		set(root, strings.Split(path, "."), value)
		data, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		content = string(data)
	case LayerDotEnv:
		if err := os.WriteFile(dotEnv, fmt.Appendf(nil, "%s='%s'\n", Variable(path), text), 0o600); err != nil {
			t.Fatal(err)
		}
	case LayerEnvironment:
		sources.Environ = []string{Variable(path) + "=" + text}
	case LayerFlag:
		sources.Flags = []Flag{{Name: "--flag", Key: path, Value: text}}
	case LayerSet:
		sources.Set = append(sources.Set, path+"="+text)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	_, report, err := Load(sources)
	if err != nil {
		t.Fatalf("%v\n%s=%s", err, path, text)
	}
	return report
}
