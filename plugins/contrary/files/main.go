// The contrary-files plugin does with a file, and with what a page logs, what a word in them says.
package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/console"
	"github.com/hermes-cdp/hermes-cdp/sdk/download"
	"github.com/hermes-cdp/hermes-cdp/sdk/upload"
)

// decide does with a file what its name says; one that says nothing is allowed.
func decide[V any](name string, complete bool, said string, deny func(string) V, fail func(string) V, allow func() V) V {
	switch {
	case strings.Contains(name, "early") && !complete, strings.Contains(name, "late") && complete:
		return deny("denied: " + said)
	case strings.Contains(name, "fail"):
		return fail("it does not want to")
	case strings.Contains(name, "trap"):
		panic("a trap")
	}
	return allow()
}

func init() {
	download.Handle(func(e download.Event) download.Verdict {
		return decide(e.Name, e.Complete, said(e), download.Deny, download.Fail, download.Allow).Because("the name says so")
	})
	upload.Handle(func(e upload.Event) upload.Verdict {
		return decide(e.Name, e.Complete, said(e), upload.Deny, upload.Fail, upload.Allow).Because("the name says so")
	})
	console.Handle(func(e console.Event) console.Verdict {
		switch {
		case strings.Contains(e.Text, "DROP"):
			return console.Drop()
		case strings.Contains(e.Text, "FAIL"):
			return console.Fail("it does not want to")
		case strings.Contains(e.Text, "SECRET"):
			return console.Mask(strings.ReplaceAll(e.Text, "SECRET", "[masked]") + " on " + e.TopOrigin)
		}
		return console.Keep()
	})
}

// said is what the event says about the file.
func said(e download.Event) string {
	return e.MediaType + " of " + sdk.Decimal(int64(e.Size)) + " bytes at " + e.URL + " of " + e.Origin + " in " + e.TopOrigin
}

func main() {}
