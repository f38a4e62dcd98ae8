package lease

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var (
	one   = Lease{Provider: "browserbase", ID: "1", At: time.Now().UTC().Truncate(time.Second)}
	two   = Lease{Provider: "firecrawl", ID: "2", At: one.At}
	three = Lease{Provider: "cdp", ID: "3", At: one.At.Add(-2 * maxAge)}
)

// abandoned collects what another process would release.
func abandoned(t *testing.T, dir string, fail error) (list []Lease) {
	t.Helper()
	if err := New(dir).Abandoned(func(l Lease) error { list = append(list, l); return fail }); err != nil {
		t.Error(err)
	}
	return list
}

func TestTheLeasesOfAProcessThatEndedAreReleasedOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "leases")
	if list := abandoned(t, dir, nil); list != nil {
		t.Errorf("without a directory there are %v", list)
	}
	j := New(dir)
	for _, l := range []Lease{one, two, three} {
		if err := j.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Remove(one); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(j.name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has %v, %v", info.Mode(), err)
	}
	if list := abandoned(t, dir, nil); list != nil {
		t.Errorf("while its owner lives %v are taken from it", list)
	}
	if left, err := New(dir).Left(); err != nil || len(left) > 0 {
		t.Errorf("while its owner lives %v are left, %v", left, err)
	}
	if err := j.file.Close(); err != nil { // as its end would
		t.Fatal(err)
	}
	torn, err := os.OpenFile(j.name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = torn.WriteString(`{"provider":"cdp","id":"to`)
	if err = errors.Join(err, torn.Close()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // it changes nothing
		if left, err := New(dir).Left(); err != nil || !reflect.DeepEqual(left, []Lease{two}) {
			t.Errorf("left are %v, %v", left, err)
		}
	}
	if list := abandoned(t, dir, errors.New("not now")); !reflect.DeepEqual(list, []Lease{two}) {
		t.Errorf("released are %v, want %v: the others are over", list, two)
	}
	if list := abandoned(t, dir, nil); !reflect.DeepEqual(list, []Lease{two}) {
		t.Errorf("what failed is tried again: %v", list)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

func TestAJournalWithoutLeasesLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	j := New(dir)
	if err := errors.Join(j.Close(), j.Add(one), j.Remove(one), j.Close()); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	none := New("")
	if err := errors.Join(none.Add(one), none.Remove(one), none.Abandoned(nil), none.Close()); err != nil {
		t.Error(err)
	}
	if err := New(filepath.Join(dir, strings.Repeat("x", 300))).Add(one); err == nil {
		t.Error("a lease that cannot be recorded is no error")
	}
}
