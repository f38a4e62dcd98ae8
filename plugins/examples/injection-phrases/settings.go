package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// wellKnown are phrases with which pages try to give orders to models.
var wellKnown = []string{
	"ignore all previous", "ignore previous instructions", "ignore the above", "ignore your instructions", "disregard all previous",
	"disregard previous", "disregard your instructions", "forget your instructions", "forget all previous", "new instructions for you",
	"your new instructions", "you are now in developer mode", "reveal your system prompt", "print your system prompt",
	"do not tell the user", "without telling the user", "ai agents must", "if you are an ai", "if you are a language model",
}

// settings is the configuration of the module.
type settings struct{ phrases []string }

// readSettings rejects what it does not understand; the error names the key.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	own := r.Strings("phrases")
	var s settings
	if r.Bool("well_known", true) {
		s.phrases = append(s.phrases, wellKnown...)
	}
	for i, phrase := range own {
		phrase = strings.TrimSpace(plainly(phrase))
		if len(phrase) < 5 {
			r.RefuseItem("phrases", i, "at least five letters or digits, or too much would be found")
		}
		s.phrases = append(s.phrases, phrase)
	}
	return s, r.Err()
}
