// The contrary-snapshot plugin does with what a page shows what a word in it says.
package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/snapshot"
)

func init() {
	snapshot.Handle(func(e snapshot.Event) snapshot.Verdict {
		v := snapshot.Abstain()
		for i, n := range e.Nodes {
			said := n.Name + n.Value
			switch {
			case strings.Contains(said, "MASK"):
				v = v.Mask(i, snapshot.Node{Name: masked(n.Name), Value: masked(n.Value), Description: masked(n.Description)})
			case strings.Contains(said, "DROP"):
				v = v.Drop(i).Because("the page says so")
			case strings.Contains(said, "NOTE"):
				v = v.Annotate(i, "is "+n.Role+" "+sdk.Decimal(int64(e.First)+int64(i))+" of "+e.Origin+"\nin "+n.Origin)
			case strings.Contains(said, "FAIL"):
				return snapshot.Fail("it does not want to")
			case strings.Contains(said, "TRAP"):
				panic("a trap")
			case strings.Contains(said, "BEYOND"):
				return snapshot.Keep().Drop(len(e.Nodes))
			}
		}
		return v
	})
}

func masked(text string) string { return strings.ReplaceAll(text, "MASK", "[masked]") }

func main() {}
