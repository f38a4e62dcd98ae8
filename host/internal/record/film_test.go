package record

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// A dialog that a policy answers at once is shown even by a film that was busy for longer than an answer is shown.
func TestAnAnswerIsShownForASecondFromWhenItIsSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		earlier := dialogAt("earlier", "tab")
		time.Sleep(time.Millisecond) //nolint:forbidigo // the time of the bubble
		f := &Film{began: time.Now()}
		time.Sleep(time.Millisecond) //nolint:forbidigo // the time of the bubble
		now := &view.Snapshot{TabInUse: "tab", RecentDialogs: []view.Dialog{earlier, dialogAt("first", "tab"), dialogAt("elsewhere", "other")}}
		shows := func(tab, want string) {
			t.Helper()
			now.TabInUse = tab
			if got, _ := f.answered(now); got.ID != want {
				t.Errorf("%s shows %q, not %q", tab, got.ID, want)
			}
		}
		time.Sleep(time.Minute) //nolint:forbidigo // the time of the bubble
		shows("tab", "first")
		time.Sleep(answerShown / 2) //nolint:forbidigo // the time of the bubble
		shows("tab", "first")
		now.RecentDialogs = append(now.RecentDialogs, dialogAt("second", "tab"))
		shows("tab", "second")
		shows("other", "elsewhere")
		time.Sleep(answerShown / 2) //nolint:forbidigo // the time of the bubble
		shows("tab", "second")
		shows("other", "")
		time.Sleep(answerShown / 2) //nolint:forbidigo // the time of the bubble
		shows("tab", "")
	})
}

// dialogAt is a dialog of a tab that was opened and answered now.
func dialogAt(id, tab string) (d view.Dialog) {
	d.ID, d.TargetID, d.ClosedBy = id, tab, "policy"
	d.OpenedAt.Time, d.ClosedAt.Time = time.Now(), time.Now()
	return d
}
