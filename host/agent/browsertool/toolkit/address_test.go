package toolkit

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func TestURLsThatCannotBeLoaded(t *testing.T) {
	in := func(s scripting) context.Context { return context.WithValue(t.Context(), scriptingKey{}, s) }
	direct, full, safe, off := t.Context(), in(scripting{tool: "browser_evaluate"}), in(scripting{}), in(scripting{disabled: true})
	for name, c := range map[string]struct {
		ctx  context.Context
		url  string
		code error
		says string
	}{
		"a site for everybody":        {safe, "https://example.org/", nil, ""},
		"a file":                      {safe, "file:///tmp/x", nil, ""},
		"an empty page":               {safe, "about:blank", nil, ""},
		"data without a tool":         {safe, "data:text/html,<script>1</script>", host.ErrRefused, "no tool in the toolsets in use"},
		"a blob without a tool":       {safe, "blob:https://example.org/1", host.ErrRefused, "url:"},
		"data with a tool":            {full, "data:text/html,<p>x", nil, ""},
		"data without a view":         {direct, "data:text/html,<p>x", nil, ""},
		"script without a tool":       {safe, "javascript:1", fault.ErrBadArguments, "give a URL"},
		"script with a tool":          {full, "javascript:1", fault.ErrBadArguments, "use browser_evaluate to run script"},
		"script without a view":       {direct, "javascript:1", fault.ErrBadArguments, "loads nothing"},
		"script in disguise":          {full, "\x01 JAVA\tscr\nipt:1", fault.ErrBadArguments, "loads nothing"},
		"what the host refuses":       {off, "javascript:1", nil, ""},
		"a word that begins like it":  {full, "javascript", nil, ""},
		"the source of what is not":   {safe, "view-source:https://example.org/", host.ErrRefused, "about:blank"},
		"an address without a scheme": {safe, "example.org", nil, ""},
		"a word":                      {safe, "example", host.ErrRefused, "https:"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Loadable(c.ctx, "url", c.url)
			if !errors.Is(err, c.code) || c.code != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %v with %q", err, c.code, c.says)
			}
		})
	}
}
