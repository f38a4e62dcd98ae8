package engine

import (
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

func TestWhichDialogToSignInAnAnswerIsFor(t *testing.T) {
	over := func(ids ...string) *view.Snapshot {
		s := &view.Snapshot{TabInUse: "tab 0"}
		for i, id := range ids {
			target := view.Target{ID: "tab " + string(rune('0'+i))}
			if id != "" {
				target.SignIn = &view.SignIn{ID: id}
			}
			s.Targets = append(s.Targets, target)
		}
		return s
	}
	for name, c := range map[string]struct {
		s    *view.Snapshot
		id   string
		want string
		err  error
	}{
		"none":                  {over(""), "", "", fault.ErrNoDialog},
		"none, named":           {over(""), "d-1", "", fault.ErrNoDialog},
		"of the tab in use":     {over("d-1", "d-2"), "", "d-1", nil},
		"the only one":          {over("", "d-2"), "", "d-2", nil},
		"the named one":         {over("d-1", "d-2"), "d-2", "d-2", nil},
		"one of several others": {over("", "d-2", "d-3"), "", "", fault.ErrAmbiguousDialog},
		"another name":          {over("d-1"), "d-2", "", fault.ErrUnknownDialog},
	} {
		task := NewTask("task", nil, nil)
		task.Publish(c.s)
		in, err := task.findSignIn(c.id)
		if !errors.Is(err, c.err) || err == nil && in.ID != c.want {
			t.Errorf("%s: %+v, %v", name, in, err)
		}
	}
}
