package abijson_test

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
)

func TestTheMessagesOfEveryHook(t *testing.T) {
	for _, hook := range abi.Hooks() {
		t.Run(string(hook), func(t *testing.T) {
			wire, err := abijson.ParseEvent(hook, []byte(`{"header":{"sequence":7,"task_id":"t"}}`))
			if err != nil {
				t.Fatal(err)
			}
			if text, err := abijson.Event(hook, wire); err != nil || string(text) != `{"header":{"sequence":7,"task_id":"t"}}` {
				t.Errorf("the event is %s, %v", text, err)
			}
			verdict, err := abijson.ParseVerdict(hook, []byte("{}"))
			if err != nil || len(verdict) != 0 {
				t.Errorf("the empty verdict is %x, %v", verdict, err)
			}
			if text, err := abijson.Verdict(hook, nil); err != nil || string(text) != "{}" {
				t.Errorf("the empty verdict is %s, %v", text, err)
			}
		})
	}
}

func TestInvalidMessagesOfAHookAreRejected(t *testing.T) {
	for name, err := range map[string]error{
		"unknown hook":  second(abijson.Event("hermes_on_dialogue", nil)),
		"unknown words": second(abijson.ParseVerdict(abi.HookDialog, []byte(`{"action":"shrug"}`))),
		"bad wire":      second(abijson.Verdict(abi.HookDialog, []byte{0xff})),
		"no verdict":    second(abijson.ParseVerdict(abi.HookDialogClosed, []byte(`{"action":"hold"}`))),
		"wire for none": second(abijson.Verdict(abi.HookDialogClosed, []byte{8, 1})),
	} {
		if err == nil || strings.TrimSpace(err.Error()) == "" {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

func second(_ []byte, err error) error { return err }
