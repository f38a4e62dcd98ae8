package netguard

import (
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
)

func TestACheckerDecidesOnEachFormOfAHost(t *testing.T) {
	policy, err := netrules.Parse([]string{"10.1.0.0/16", "intranet.example"})
	if err != nil {
		t.Fatal(err)
	}
	tally := &Tally{}
	c := NewChecker(Options{Policy: policy, Tally: tally})
	refused := uint64(0)
	for url, class := range map[string]string{
		"http://10.1.2.3/": "", "http://8.8.8.8/%zz": "", "https://intranet.example/": "",
		"http://10.2.0.1:8080/": netrules.Private, "http://user:p%40ss@127.0.0.1/%zz": netrules.Loopback, "https://localhost?q": netrules.Loopback,
		"http://[::ffff:169.254.169.254]/x@y": netrules.Metadata, "http://metadata.google.internal#f": netrules.Metadata,
		"http:///": netrules.Unresolved, "http://a.invalid./": netrules.Unresolved,
	} {
		got := c.Check(t.Context(), url)
		switch {
		case class == "" && got != nil, class != "" && (got == nil || got.Class != class):
			t.Errorf("%s: %+v, want %q", url, got, class)
		case got != nil && !errors.Is(got, fault.ErrNetworkRefused):
			t.Errorf("%s: %v", url, got)
		}
		if class != "" {
			refused++
		}
	}
	if n := tally.Counters(); n.Requests != 10 || n.Refused != refused {
		t.Errorf("counted %+v, want 10 requests of which %d were refused", n, refused)
	}
}
