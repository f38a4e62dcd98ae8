// Package complete knows what a word of a command line may be: what the daemon knows, or else the configuration. Where
// neither can be asked, nothing is said.
package complete

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Completer gives what a word may be; prefix is what of it is typed.
type Completer func(cmd *cobra.Command, args []string, prefix string) []string

// Bound makes a completer one of cobra's: only what begins as typed, and no files.
func Bound(c Completer) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var list []cobra.Completion
		for _, word := range c(cmd, args, prefix) {
			if strings.HasPrefix(word, prefix) {
				list = append(list, word)
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// Fixed completes one of some words.
func Fixed(words []string) Completer {
	return func(*cobra.Command, []string, string) []string { return words }
}

// Listed completes a list with commas: its last member.
func Listed(c Completer) Completer {
	return func(cmd *cobra.Command, args []string, prefix string) []string {
		head := prefix[:strings.LastIndexByte(prefix, ',')+1]
		var list []string
		for _, word := range c(cmd, args, prefix[len(head):]) {
			list = append(list, head+word)
		}
		return list
	}
}

// described is a word with what a shell shows beside it.
func described(word string, texts ...string) string {
	text := pagetext.Line(strings.Join(texts, " "))
	if short := pagetext.ShortenRunes(text, 60); short != text {
		text = short + "…"
	}
	return pagetext.Line(word) + "\t" + cmp.Or(text, " ")
}

// Assignable is what can stand before an = and after it.
type Assignable struct {
	Name   string
	Values []string
	// Text is shown beside it.
	Text string
}

// Assignments completes NAME=VALUE: the name with its =, after which the shell goes on, then the value.
func Assignments(list []Assignable, prefix string) (words []cobra.Completion, directive cobra.ShellCompDirective) {
	name, value, hasValue := strings.Cut(prefix, "=")
	for _, it := range list {
		switch {
		case hasValue && it.Name == name:
			for _, v := range it.Values {
				if strings.HasPrefix(v, value) {
					words = append(words, name+"="+v)
				}
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		case !hasValue && strings.HasPrefix(it.Name, name):
			words = append(words, described(it.Name+"=", it.Text))
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
