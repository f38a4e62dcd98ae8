package candidate

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestARequestBecomesAChange(t *testing.T) {
	digest := strings.Repeat("aB", 32)
	here := func(name string) string {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		request Request
		want    host.PluginChange
		problem string
	}{
		"a file": {
			Request{Module: "x/p.wasm", Reason: "why"},
			host.PluginChange{PluginSource: host.PluginSource{Path: here("x/p.wasm")}, Trigger: "command", Reason: "why"}, "",
		},
		"a signed address": {
			Request{Module: "https://host/p.wasm?t=1", SHA256: digest, PublicKey: "RW", Signature: "p.minisig", ConfigJSON: `{"a": [1]}`},
			host.PluginChange{
				PluginSource: host.PluginSource{URL: "https://host/p.wasm?t=1", SHA256: strings.ToLower(digest), PublicKey: "RW", Signature: here("p.minisig")},
				Config:       map[string]any{"a": []any{1.0}}, Trigger: "command",
			}, "",
		},
		"a reference": {
			Request{Module: "oci://registry.example/guard:1@sha256:" + strings.ToLower(digest)},
			host.PluginChange{PluginSource: host.PluginSource{URL: "oci://registry.example/guard:1@sha256:" + strings.ToLower(digest)}, Trigger: "command"}, "",
		},
		"an empty configuration": {
			Request{Module: "/p", ConfigJSON: "{}"},
			host.PluginChange{PluginSource: host.PluginSource{Path: here("/p")}, Config: map[string]any{}, Trigger: "command"}, "",
		},
		"an address that anybody can change": {Request{Module: "http://u:secret@host/p.wasm"}, host.PluginChange{}, "want a file, an https:// address, or for a module an oci:// reference"},
		"an address without a digest":        {Request{Module: "https://host/p.wasm"}, host.PluginChange{}, "needs --sha256"},
		"a reference that can change":        {Request{Module: "oci://registry.example/guard:1"}, host.PluginChange{}, "needs the digest of its manifest"},
		"a reference with a password":        {Request{Module: "oci://u:secret@registry.example/guard"}, host.PluginChange{}, "is not a reference such as"},
		"no digest":                          {Request{Module: "p", SHA256: "abc"}, host.PluginChange{}, `--sha256 is "abc", want 64`},
		"no object":                          {Request{Module: "p", ConfigJSON: `"secret"`}, host.PluginChange{}, "no JSON object"},
		"null":                               {Request{Module: "p", ConfigJSON: `null`}, host.PluginChange{}, "no JSON object"},
		"two objects":                        {Request{Module: "p", ConfigJSON: `{} {"secret":1}`}, host.PluginChange{}, "more than one"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.request.Change()
			if c.problem == "" {
				if err != nil || !reflect.DeepEqual(got, c.want) {
					t.Errorf("got %+v, %v; want %+v", got, err, c.want)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.problem) || strings.Contains(err.Error(), "secret") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
