package config

import (
	"reflect"
	"strings"
	"testing"
)

func TestRedactAddress(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"a plain address stays", "ws://127.0.0.1:9222/devtools/browser", "ws://127.0.0.1:9222/devtools/browser"},
		{"a host and port stay", "localhost:9222", "localhost:9222"},
		{"IPv6 stays", "http://[::1]:9222", "http://[::1]:9222"},
		{"the query goes", "wss://host/v1?token=abc&x=y", "wss://host/v1?[redacted]"},
		{"user and password go", "https://user:pass@host/", "https://[redacted]@host/"},
		{"a user goes without a scheme too", "user:pass@host:1", "[redacted]@host:1"},
		{"a token in the path goes", "wss://host/devtools/browser/0b9c-12", "wss://host/devtools/browser/[redacted]"},
		{"an escaped part of the path goes", "wss://host/a%2Fb", "wss://host/[redacted]"},
		{"the fragment goes", "https://host/#t", "https://host/#[redacted]"},
		{"what is no address goes as a whole", "sk-12345", "[redacted]"},
		{"a broken address goes as a whole", "ws://ho st/?t=%zz", "[redacted]"},
		{"nothing stays nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := RedactAddress(test.in); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestRedactText(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"text stays", "--window-size=800,600", "--window-size=800,600"},
		{"an address inside of text", "--proxy-server=http://u:p@proxy:1", "--proxy-server=http://[redacted]@proxy:1"},
		{"several addresses", "a http://u@b c https://d/?e f", "a http://[redacted]@b c https://d/?[redacted] f"},
		{"an argument that is a secret", "--auth-token=abc", "--auth-token=[redacted]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := RedactText(test.in); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestTheReportShowsNoSecret(t *testing.T) {
	cfg, report, err := Load(Sources{Environ: []string{}, Set: []string{
		"browser.cdp_url=wss://me:hidden@host/hidden-1?token=hidden",
		"browser.args=[--password=hidden, 'https://host/?hidden']",
		"plugins.dialog-policy.config={apiKey: hidden, deep: {passwords: [hidden], plain: shown}, list: [{secret: hidden, open: shown}], url: 'http://h/?hidden'}",
		"plugins.frame-filter.config={'a b': {token: hidden}}",
		"mcp_servers.files={command: serve, args: [--token=hidden], env: {MODE: hidden, TOKEN: '${FILES_TOKEN}', 'a b': hidden}}",
		"mcp_servers.web={url: 'https://u:hidden@host/mcp?hidden', headers: {Authorization: 'Bearer ${WEB}', X-Key: 'hidden-${WEB}'}}",
		"vision={url: 'https://me:hidden@host/hidden-1?key=hidden', model: m, api_key: hidden}",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(cfg.Browser.CDPURL, "hidden") {
		t.Error("the configuration itself must keep its secrets")
	}
	for _, v := range report.Values {
		if strings.Contains(v.Text(), "hidden") {
			t.Errorf("%s shows %s", v.Key, v.Text())
		}
		if v.Redacted != strings.Contains(v.Text(), Redacted) {
			t.Errorf("%s: Redacted is %v for %s", v.Key, v.Redacted, v.Text())
		}
	}
	for key, want := range map[string]any{
		"mcp_servers.files.env":                 map[string]any{"MODE": Redacted, "TOKEN": "${FILES_TOKEN}", "a b": Redacted},
		"mcp_servers.web.headers.Authorization": "Bearer ${WEB}", "mcp_servers.web.headers.X-Key": Redacted,
		"mcp_servers.web.url": "https://[redacted]@host/mcp?[redacted]",
	} {
		if got := valueOf(t, report, key).Value; !reflect.DeepEqual(got, want) {
			t.Errorf("%s is shown as %v", key, got)
		}
	}
	list := valueOf(t, report, "plugins.dialog-policy.config.list").Value
	if want := []any{map[string]any{"secret": Redacted, "open": "shown"}}; !reflect.DeepEqual(list, want) {
		t.Errorf("the list is %v", list)
	}
	if got := valueOf(t, report, "plugins.dialog-policy.config.deep.plain"); got.Value != "shown" || got.Redacted {
		t.Errorf("a plain value is %v", got)
	}
}

func TestOnlyAReferenceIsShownOfASecret(t *testing.T) {
	for value, want := range map[string]bool{"${A}": true, "Bearer ${A}": true, "x${A}": false, "${A}${B}": false, "Bearer": false, "": true} {
		if shown := redactValue(Key{Type: TypeMap, format: "env"}, nil, value); (shown == value) != want {
			t.Errorf("%q: shown as %v", value, shown)
		}
	}
}
