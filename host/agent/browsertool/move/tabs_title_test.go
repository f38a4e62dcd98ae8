package move

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestTheTitleOfATabIsThatOfTheList(t *testing.T) {
	list := []host.TabInfo{{TargetID: "a", Title: "A"}, {TargetID: "b", Title: "B"}}
	if got := withTitle(host.TabInfo{TargetID: "b", URL: "u", Title: "stale"}, list); got.Title != "B" || got.URL != "u" {
		t.Errorf("got %+v", got)
	}
	if got := withTitle(host.TabInfo{TargetID: "gone", Title: "last"}, list); got.Title != "last" {
		t.Errorf("got %+v", got)
	}
}
