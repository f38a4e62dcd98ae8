package access

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func agentOf(tasks ...string) Caller {
	return AsAgent(&Grant{Name: "n", Tasks: tasks, Toolsets: []string{"browser"}, ended: context.Background()})
}

func TestATaskIsTheCallersOwnOrRefused(t *testing.T) {
	for name, c := range map[string]struct {
		caller Caller
		asked  string
		want   string
		err    error
	}{
		"an operator names any":                  {AsOperator(), "shop", "shop", nil},
		"an operator names none":                 {AsOperator(), "", "default", nil},
		"an agent names its task":                {agentOf("shop"), "shop", "shop", nil},
		"an agent names one of its pattern":      {agentOf("a", "shop-*"), "shop-1", "shop-1", nil},
		"the pattern needs nothing after it":     {agentOf("shop-*"), "shop-", "shop-", nil},
		"an agent names another":                 {agentOf("shop"), "mail", "", fault.ErrForbidden},
		"a name is not a beginning":              {agentOf("shop"), "shop-1", "", fault.ErrForbidden},
		"a pattern is no name":                   {agentOf("shop"), "*", "", fault.ErrForbidden},
		"capitals are others":                    {agentOf("shop-*"), "Shop-1", "", fault.ErrForbidden},
		"the default is a task as others":        {agentOf("shop"), "default", "", fault.ErrForbidden},
		"an agent names none":                    {agentOf("shop"), "", "shop", nil},
		"of two, the first is meant":             {agentOf("shop", "mail"), "", "shop", nil},
		"or the default where it is among them":  {agentOf("shop", "default"), "", "default", nil},
		"a pattern has a default of its own":     {agentOf("shop-*"), "", "shop-default", nil},
		"every task has the operator's default":  {agentOf("*"), "", "default", nil},
		"a name for people":                      {agentOf("*"), strings.Repeat("x", 128), strings.Repeat("x", 128), nil},
		"a name that is too long for them":       {agentOf("*"), strings.Repeat("x", 129), "", fault.ErrForbidden},
		"a name that steers a terminal":          {agentOf("*"), "a\x1b[2J", "", fault.ErrForbidden},
		"nobody names a task":                    {Caller{}, "shop", "", fault.ErrUnauthorized},
		"nobody names none":                      {Caller{}, "", "", fault.ErrUnauthorized},
		"nobody's default is not the operator's": {CallerOf(t.Context()), "", "", fault.ErrUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.caller.Task(c.asked)
			if got != c.want || !errors.Is(err, c.err) {
				t.Errorf("got %q, %v; want %q, %v", got, err, c.want, c.err)
			}
			if err == nil && !c.caller.Allows(got) {
				t.Error("the task that is meant is not allowed")
			}
		})
	}
}

func TestASessionsOwnTaskIsWithinTheToken(t *testing.T) {
	for name, c := range map[string]struct {
		caller Caller
		own    bool
	}{
		"an operator's": {AsOperator(), true}, "a pattern's": {agentOf("x", "shop-*"), true}, "everything's": {agentOf("*"), true},
		"that of exact names is the first of them": {agentOf("x", "y"), false},
	} {
		task, own, err := c.caller.SessionTask("")
		if err != nil || own != c.own || !c.caller.Allows(task) {
			t.Errorf("%s: %q, %v, %v", name, task, own, err)
		}
		if again, _, _ := c.caller.SessionTask(""); (again == task) == own {
			t.Errorf("%s: two sessions have %q and %q", name, task, again)
		}
	}
	if _, _, err := agentOf("shop-*").SessionTask("mail"); !errors.Is(err, fault.ErrForbidden) {
		t.Errorf("a foreign task: %v", err)
	}
	if _, _, err := (Caller{}).SessionTask(""); !errors.Is(err, fault.ErrUnauthorized) {
		t.Errorf("nobody's: %v", err)
	}
}

func TestNobodyHasNoTools(t *testing.T) {
	if within := (Caller{}).Within(); within == nil || len(within) > 0 {
		t.Errorf("nobody is bounded by %#v", within)
	}
	if within := AsOperator().Within(); within != nil {
		t.Errorf("an operator is bounded by %#v", within)
	}
}
