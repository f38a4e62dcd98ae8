package browsertool

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/act"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/look"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

func TestBadActionsAreNamed(t *testing.T) {
	text := "x"
	for name, c := range map[string]struct {
		action    Action
		parameter string
	}{
		"an unknown kind":                {Action{Action: "fly"}, "action"},
		"a click without an element":     {Action{Action: "click"}, "ref"},
		"a click on two":                 {Action{Action: "click", Ref: "e1", Selector: "p"}, "selector"},
		"a fill without a text":          {Action{Action: "fill", Ref: "e1"}, "text"},
		"a click with a text":            {Action{Action: "click", Ref: "e1", Text: &text}, "text"},
		"a sleep without a time":         {Action{Action: "sleep"}, "ms"},
		"a drag without a goal":          {Action{Action: "drag", Ref: "e1"}, "to_ref"},
		"a state where nothing waits":    {Action{Action: "click", Ref: "e1", State: "hidden"}, "state"},
		"a wait without a selector":      {Action{Action: "wait_for_selector"}, "selector"},
		"a screenshot that is forced":    {Action{Action: "screenshot", Force: true}, "force"},
		"a scroll without a direction":   {Action{Action: "scroll"}, "direction"},
		"a select without values":        {Action{Action: "select", Ref: "e1"}, "values"},
		"a reload with an address":       {Action{Action: "reload", URL: "x"}, "url"},
		"a hover on no element":          {Action{Action: "hover"}, "ref"},
		"a press without a key":          {Action{Action: "press"}, "key"},
		"a check with the wrong element": {Action{Action: "check", Onto: act.Onto{ToRef: "e1"}, Ref: "e2"}, "to_ref"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.action.check()
			wrong, ok := err.(*result.ArgumentError) //nolint:errorlint // it is made there
			if !ok || wrong.Parameter != c.parameter {
				t.Errorf("got %v, want one of %s", err, c.parameter)
			}
		})
	}
}

func TestEveryKindOfActionIsChecked(t *testing.T) {
	field, _ := reflect.TypeFor[Action]().FieldByName("Action")
	kinds := strings.Split(field.Tag.Get("enum"), ",")
	if len(kinds) != len(actionFields) {
		t.Errorf("the schema has %d kinds, the check %d", len(kinds), len(actionFields))
	}
	for _, kind := range kinds {
		if _, ok := actionFields[kind]; !ok {
			t.Errorf("nothing is known of %s", kind)
		}
	}
}

func TestTheBudgetScales(t *testing.T) {
	for name, c := range map[string]struct {
		params InteractParams
		want   time.Duration
	}{
		"with the actions":     {InteractParams{Actions: make([]Action, 4)}, 50 * time.Second},
		"with what they sleep": {InteractParams{Actions: []Action{{MS: 7000}}}, 42 * time.Second},
		"to ten minutes":       {InteractParams{Actions: make([]Action, 1000)}, 10 * time.Minute},
		"unless it is given":   {InteractParams{Actions: make([]Action, 4), Timeout: toolkit.Timeout{TimeoutMS: 100}}, 100 * time.Millisecond},
	} {
		if got := c.params.budget(30 * time.Second); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestSleepEndsWithTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if _, err := slept(t.Context(), 3*time.Second); err != nil || time.Since(began) != 3*time.Second {
			t.Errorf("slept %v: %v", time.Since(began), err)
		}
	})
}

// A list counts as its first failure, and with what all its actions add.
func TestAListCountsItsActions(t *testing.T) {
	terminated := &host.StoppedError{Code: host.ErrTimeout, Cause: context.DeadlineExceeded, Sent: true, Terminated: true}
	got := InteractResult{Results: []ActionResult{
		{Success: true, Result: look.ExtractResult{Unresponsive: []string{"f"}}}, {counts: result.CountError(terminated)}, {counts: result.CountError(&host.RendererBusyError{})},
	}}.Counted()
	if got.Failure != host.ErrTimeout || got.Timeouts != 1 || got.Terminations != 1 || !slices.Equal(got.Fallbacks, []string{result.FallbackFrames}) {
		t.Errorf("got %+v", got)
	}
}
