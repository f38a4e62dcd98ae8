package shared

import (
	"strings"
	"testing"
)

func TestAnotherBrowserTakesThePlaceOfOneThatEndedByItself(t *testing.T) {
	s := &Suite{}
	first := s.Address(t)
	if again := s.Address(t); again != first {
		t.Errorf("one browser has the addresses %s and %s", first, again)
	}
	process := s.process
	process.Kill()
	<-process.Done()
	if second := s.Address(t); second == first || s.process == process {
		t.Errorf("the browser at %s is gone, and is still given", second)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
	if s.ended == nil || !strings.Contains(s.ended.Error(), "signal: killed") {
		t.Errorf("the run does not fail with how the first ended: %v", s.ended)
	}
}
