package host

import "testing"

func TestAddressesThatRunNoScriptOfTheAgents(t *testing.T) {
	for address, plain := range map[string]bool{
		"https://example.com/": true, "HTTP://example.com": true, "about:blank": true, "file:///tmp/x": true,
		"javascript:1": false, " javascript:1": false, "java\tscript:1": false, "JAVASCRIPT:1": false, "data:text/html,x": false,
		"blob:https://example.com/1": false, "view-source:javascript:1": false, "about:srcdoc": false, "": false, "example.com": false, "\x00javascript:1": false,
	} {
		if got := IsPlainURL(address); got != plain {
			t.Errorf("%q: %t", address, got)
		}
	}
}
