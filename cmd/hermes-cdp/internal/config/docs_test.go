package config

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const docsHead = `# Configuration

<!-- Generated from cmd/hermes-cdp/internal/config/config.go by: go test ./cmd/hermes-cdp/internal/config -run UpToDate -update -->

Every key can be given in each of these layers; each is stronger than the ones before it:

1. the defaults below;
2. the YAML file ` + "`$XDG_CONFIG_HOME/hermes-cdp/config.yaml`, else `~/.config/hermes-cdp/config.yaml`; or the one named with `--config`" + `, which must exist;
3. a file ` + "`.env`" + ` beside it, with the variables below (a value in single quotes is taken as it is; without, ` + "`$NAME`" + ` is replaced);
4. the environment: ` + "`BROWSER_CDP_URL`" + ` for ` + "`browser.cdp_url`" + ` and ` + "`BROWSER_INACTIVITY_TIMEOUT`" + ` for ` + "`browser.inactivity_s`" + `, then ` + "`HERMES_CDP_`" + ` and the key in capitals with ` + "`_`" + ` for each dot and dash, so ` + "`HERMES_CDP_BROWSER_CDP_URL`" + ` is stronger than ` + "`BROWSER_CDP_URL`" + `;
5. the flags of a command, such as ` + "`--log-level`" + `;
6. ` + "`--set key=value`" + `, the last one first.

Maps are merged key by key; lists are replaced. A key without a value, and an empty variable, are as good as absent.
A text in a variable or in ` + "`--set`" + ` is taken as it is, unless it is in quotes. A list is written as its items, separated by commas, as in
` + "`--set toolsets=browser-full,web`" + ` or ` + "`HERMES_CDP_BROWSER_ARGS=--lang=de,--mute-audio`" + `; items that contain commas are written as
JSON: ` + "`--set 'browser.args=[\"--window-size=800,600\"]'`" + `. Any other value is YAML: ` + "`HERMES_CDP_PLUGINS_DIALOG_POLICY_CONFIG='{policy: must_respond}'`" + ` is a map.
A path in the file is relative to that file, any other path to the working directory; ` + "`~/`" + ` is the home directory.

Variables know hermes-cdp's own plugins (%s), and the plugins and MCP servers in the file. A variable that begins like a
` + "`config`" + ` map sets a key in it, in lower case (as it is in the ` + "`env`" + ` of an MCP server): ` + "`HERMES_CDP_PLUGINS_DIALOG_POLICY_CONFIG_POLICY`" + ` is ` + "`plugins.dialog-policy.config.policy`" + `.
Where a variable fits several keys, the longest one is meant.

The column "reload" says when a running daemon uses a new value, after ` + "`hermes-cdp reload`" + ` or SIGHUP: at once, for tasks that start from
then on, or not until it is started again.

An unknown key is an error, an unknown variable under the prefix a warning; both name the nearest one. All errors are
reported at once. ` + "`hermes-cdp config show`" + ` prints every key with its value and where it comes from; what may be a secret
(the query, user and token-like path of an address, what is called token, password, API key and the like, and the
variables and headers of MCP servers) is shown as ` + "`[redacted]`" + `.

Editors that know YAML complete keys, say what they mean and mark errors, if the first line of the file names a schema:
` + "`hermes-cdp config schema >config.schema.json`" + ` beside the file, and in it ` + "`# yaml-language-server: $schema=config.schema.json`" + `.
`

func TestDocsAreUpToDate(t *testing.T) {
	var out strings.Builder
	fmt.Fprintf(&out, docsHead, "`"+strings.Join(KnownPlugins(), "`, `")+"`")
	comments := fieldComments(t)
	section := ""
	for _, key := range Keys() {
		if s := sectionOf(key); s != section {
			section = s
			fmt.Fprintf(&out, "\n## %s\n\n| key | value | default | reload | meaning |\n|---|---|---|---|---|\n", section)
		}
		comment := comments[key.Field]
		if comment == "" {
			t.Errorf("the field %s has no comment", key.Field)
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s |\n", key.Path, valueDoc(key), defaultDoc(key), reloadDoc(key), comment)
	}
	golden(t, "../../../../docs/configuration.md", out.String())
}

func sectionOf(key Key) string {
	switch {
	case len(key.parts) == 1:
		return "Top level"
	case key.parts[0] == "plugins":
		return "plugins"
	default:
		return key.parts[0]
	}
}

func valueDoc(key Key) string {
	switch {
	case key.Type == TypeList && len(key.Allowed) > 0:
		return "a list of `" + strings.Join(key.Allowed, "`, `") + "`"
	case len(key.Allowed) > 0:
		return "`" + strings.Join(key.Allowed, "`, `") + "`"
	case key.Max > 0:
		unit := key.Unit
		if unit != "" {
			unit = " (" + unit + ")"
		}
		return fmt.Sprintf("%s from %s to %s%s", key.Type, formatNumber(key.Min), formatNumber(key.Max), unit)
	case key.format == "address", key.format == "path", key.format == "loopback":
		return "text: " + key.format
	case key.format == "metrics":
		return "text: host and port"
	case key.format == "listen":
		return "text: host and port, or `off`"
	case key.format == "http":
		return "text: `http://` or `https://` address"
	case key.isSecretMap():
		return "a map of texts"
	case key.format == "networks":
		return "a list of words, addresses, prefixes and hosts"
	case key.format == "proxy":
		return "text: the URL of a proxy"
	case key.format == "schemes", key.format == "variables", key.format == "paths":
		return "a list of " + map[string]string{"schemes": "schemes", "variables": "names of variables", "paths": "paths"}[key.format]
	case key.format == "credentials", key.format == "permissions":
		return "a list of " + key.format
	case key.format == "levels":
		return "a list of packages with levels"
	case key.format == "geolocation":
		return "text: place"
	case key.format == "places":
		return "a list of paths, `https://` and `oci://` addresses"
	case key.format == "globs":
		return "a list of names or patterns"
	case key.format == "https or oci":
		return "text: `https://` address or `oci://` reference"
	case key.format == "path or https":
		return "text: path or `https://` address"
	case key.format == "secret":
		return "text: a secret"
	case key.format == "minisign":
		return "text: minisign public key"
	case key.format == "profile":
		return "text: name"
	case key.format == "regexp":
		return "text: regular expression"
	case key.format == "sha256":
		return "text: 64 hexadecimal digits"
	default:
		return string(key.Type)
	}
}

func defaultDoc(key Key) string {
	switch {
	case key.Default != nil:
		return fmt.Sprintf("`%v`", key.Default)
	case key.Path == "plugin_cache_dir", key.Path == "plugin_download_dir", strings.HasPrefix(key.Path, "control.") && key.format == "path":
		return "see there"
	case key.Type == TypeInteger, key.Type == TypeNumber:
		return "`0`"
	default:
		return "empty"
	}
}

func reloadDoc(key Key) string {
	return map[Reload]string{ReloadRestart: "no", ReloadNow: "at once", ReloadTasks: "new tasks"}[key.Reload]
}

// fieldComments maps the Go field of each key, such as Browser.CDPURL, to its comment.
func fieldComments(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "config.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	ofType := map[string]map[string]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.TypeSpec)
		if !ok {
			return true
		}
		ofType[spec.Name.Name] = map[string]string{}
		for _, field := range spec.Type.(*ast.StructType).Fields.List {
			ofType[spec.Name.Name][field.Names[0].Name] = sentence(field.Names[0].Name, field.Doc.Text())
		}
		return false
	})
	comments := map[string]string{}
	collectComments(reflect.TypeFor[Config](), "", ofType, comments)
	return comments
}

func collectComments(section reflect.Type, prefix string, ofType map[string]map[string]string, into map[string]string) {
	for i := range section.NumField() {
		field := section.Field(i)
		name := strings.TrimPrefix(prefix+"."+field.Name, ".")
		into[name] = ofType[section.Name()][field.Name]
		inner := field.Type
		if inner.Kind() == reflect.Map {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct {
			collectComments(inner, name, ofType, into)
		}
	}
}

// sentence drops the Go name with which a comment begins.
func sentence(name, comment string) string {
	text := strings.Join(strings.Fields(comment), " ")
	for _, opening := range []string{name + " is ", name + " are ", name + " "} {
		if rest, ok := strings.CutPrefix(text, opening); ok {
			first, size := utf8.DecodeRuneInString(rest)
			return string(unicode.ToUpper(first)) + rest[size:]
		}
	}
	return text
}
