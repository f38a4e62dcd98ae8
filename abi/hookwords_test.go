package abi_test

import (
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func TestEveryHookHasWordsThatFindIt(t *testing.T) {
	var granted []string
	for _, hook := range abi.Hooks() {
		if got := abi.ParseHooks(hook.Word()); !slices.Equal(got, []abi.Hook{hook}) {
			t.Errorf("the word %s is of %v, want %s", hook.Word(), got, hook)
		}
		if got := abi.ParseHooks(string(hook)); !slices.Equal(got, []abi.Hook{hook}) {
			t.Errorf("the export %s is of %v", hook, got)
		}
		if !slices.Contains(abi.ParseHooks(hook.Grant()), hook) {
			t.Errorf("the grant %s is none of %s", hook.Grant(), hook)
		}
		if !slices.Contains(granted, hook.Grant()) {
			granted = append(granted, hook.Grant())
		}
	}
	if !slices.Equal(granted, abi.Grants()) {
		t.Errorf("the grants are %v, want %v", abi.Grants(), granted)
	}
	if got := abi.ParseHooks("bridge"); len(got) != 3 {
		t.Errorf("bridge is %v", got)
	}
	if got := abi.ParseHooks("dialogs"); got != nil {
		t.Errorf("a word that is none is %v", got)
	}
	if got := abi.Hook("hermes_on_later"); got.Word() != "hermes_on_later" || got.Grant() != "hermes_on_later" {
		t.Errorf("a hook of another version reads %s and %s", got.Word(), got.Grant())
	}
}
