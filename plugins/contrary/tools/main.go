// The contrary-tools plugin does with a call of a tool, and with its result, what a word in them says.
package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/aftertool"
	"github.com/hermes-cdp/hermes-cdp/sdk/beforetool"
)

func init() {
	beforetool.Handle(func(e beforetool.Event) beforetool.Verdict {
		url, _ := e.Arguments.GetString("url")
		_, says, _ := strings.Cut(url, "#!")
		word, rest, _ := strings.Cut(says, ":")
		switch word {
		case "deny":
			return beforetool.Deny("denied on " + e.Origin + " by " + e.Client).Because("the address says so")
		case "ask":
			return beforetool.Ask("it goes to " + rest).Because("the address says so")
		case "go":
			return beforetool.Change(abi.Struct{{Key: "url", Value: abi.StringValue(rest)}})
		case "extra":
			return beforetool.Change(append(e.Arguments, abi.Field{Key: "zzz", Value: abi.BoolValue(true)}))
		case "fail":
			return beforetool.Fail("it does not want to")
		case "trap":
			panic("a trap")
		}
		return beforetool.Allow()
	})
	aftertool.Handle(func(e aftertool.Event) aftertool.Verdict {
		switch {
		case strings.Contains(e.Text, "WITHHOLD"):
			return aftertool.Deny("not for agents").Because("the page says so")
		case strings.Contains(e.Text, "BREAK"):
			panic("a trap")
		}
		return aftertool.Rewrite(e, func(text string) string { return strings.ReplaceAll(text, "SECRET", "[masked]") })
	})
}

func main() {}
