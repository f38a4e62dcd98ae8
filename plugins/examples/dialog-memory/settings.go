package main

import (
	"regexp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

const (
	defaultAnswers = 50  // remembered for a task
	mostAnswers    = 200 // so that the list of their keys stays short
	longestPattern = 256 // in bytes; a longer pattern might nest deeper than a module's stack allows
)

// settings is the configuration of the module.
type settings struct {
	answers int // how many are remembered for a task
	rules   []rule
}

// rule answers the dialogs that match all of its conditions.
type rule struct {
	name       string // rules[2]
	dialogType abi.DialogType
	origin     *regexp.Regexp // nil: any
	message    *regexp.Regexp // nil: any
	action     abi.DialogAction
	text       *string // of an accepted prompt; nil: the page's default text
}

// readSettings rejects what it does not understand; the error names the key.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{answers: int(r.Int("remember", defaultAnswers, 0, mostAnswers))}
	r.Objects("rules", func(item *config.Reader) { s.rules = append(s.rules, readRule(item)) })
	return s, r.Err()
}

func readRule(r *config.Reader) rule {
	out := rule{name: r.Place(), origin: readPattern(r, "origin"), message: readPattern(r, "message")}
	out.dialogType, _ = abi.ParseDialogType(r.OneOf("type", "", "alert", "confirm", "prompt", "beforeunload"))
	out.action, _ = abi.ParseDialogAction(r.OneOf("verdict", "", "hold", "accept", "dismiss"))
	if text := r.String("text", ""); r.Has("text") {
		out.text = &text
	}
	switch {
	case out.action == abi.DialogActionUnspecified:
		r.Refuse("verdict", "hold, accept or dismiss")
	case out.text != nil && out.action != abi.DialogActionAccept:
		r.Refuse("text", "it only with verdict accept")
	}
	return out
}

// readPattern compiles a regular expression. Matching takes linear time, whatever the page writes.
//
// https://github.com/google/re2/wiki/Syntax
func readPattern(r *config.Reader, key string) *regexp.Regexp {
	text := r.String(key, "")
	if !r.Has(key) {
		return nil
	}
	if len(text) > longestPattern {
		r.Refuse(key, "a regular expression of at most 256 bytes")
		return nil
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		r.Refuse(key, "a regular expression of the RE2 syntax ("+err.Error()+")")
		return nil
	}
	return pattern
}
