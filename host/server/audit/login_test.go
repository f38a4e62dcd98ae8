package audit

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// Anybody can send wrong codes, which must not push entries out; how many there were is recorded all the same.
func TestRefusedBrowsersAreCounted(t *testing.T) {
	o := Options{Dir: filepath.Join(t.TempDir(), "audit"), FileBytes: 1 << 20, TotalBytes: 1 << 20}
	synctest.Test(t, func(t *testing.T) {
		l := open(t, o)
		logins := NewLogins(l)
		refuse := func(times int) {
			for range times {
				logins.Entered(t.Context(), false)
			}
		}
		want := func(attempts ...float64) {
			t.Helper()
			synctest.Wait()
			list := read(t, l, Filter{Action: LiveLogin})
			if len(list) != len(attempts) {
				t.Fatalf("there are %d entries, want %d", len(list), len(attempts))
			}
			for i, n := range attempts {
				if n > 0 && (list[i].Details["attempts"] != n || list[i].Outcome != Failed || list[i].Code != "unauthorized") || n == 0 && list[i].Outcome != Done {
					t.Errorf("entry %d is %+v, want %v attempts", i, list[i], n)
				}
			}
		}
		refuse(500)
		want(1)
		logins.Entered(t.Context(), true)
		want(1, 0)
		<-time.After(refusedPause)
		want(1, 0, 499)
		refuse(3)
		want(1, 0, 499)
		<-time.After(2 * refusedPause)
		want(1, 0, 499, 3)
		refuse(2)
		want(1, 0, 499, 3, 1)
		logins.Close()
		want(1, 0, 499, 3, 1, 1)
	})
}
