package control

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func (r *recorder) Hints(_ context.Context, task string) (Hints, error) {
	r.note("hints", task)
	return Hints{
		Tabs: []host.TabInfo{{Handle: "t1"}}, Refs: []RefHint{{"e1", "button", "<Save>"}}, Calls: []string{"c-1"}, Dialogs: []host.Dialog{dialog},
	}, r.err
}
