//go:build unix

package main

import (
	"slices"
	"testing"
)

// A task that a call has started ends when no more calls come; one that the operator started stays. The next call says
// what was lost.
func TestATaskThatNobodyUsesEnds(t *testing.T) {
	s := newShell(t)
	s.env = []string{"BROWSER_INACTIVITY_TIMEOUT=0.5"}
	p, _ := s.startDaemon()
	s.ok("connect", "--launch", "--task", "mine")
	site := shopSite(t)
	s.ok("browser", "navigate", site, "--task", "theirs")
	p.stderr.next(t, "no call has worked on it")
	ids := func() (ids []string) {
		for _, task := range s.status().Tasks {
			ids = append(ids, task.ID)
		}
		return ids
	}
	if got := ids(); !slices.Equal(got, []string{"mine"}) {
		t.Errorf("the tasks are %q", got)
	}
	s.says(exitOK, "no call had come for 500ms", "", "browser", "snapshot", "--task", "theirs")
}
