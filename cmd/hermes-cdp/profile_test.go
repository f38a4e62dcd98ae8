//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Cookies of a named profile survive its browser; a second task is told who has it; and it is wiped by its name.
func TestANamedProfileSurvivesItsBrowser(t *testing.T) {
	s := newShell(t)
	s.env = []string{"XDG_DATA_HOME=", "HERMES_CDP_BROWSER_PROFILE=work"}
	s.startDaemon()
	site := shopSite(t)
	s.ok("connect", "--launch", "--task", "one")
	s.ok("browser", "navigate", site, "--task", "one")
	s.ok("eval", "--task", "one", `document.cookie = "who=ada; max-age=1000"; localStorage.kept = "yes"`)
	if code, message := s.refused(exitFailed, "connect", "--launch", "--task", "two"); code != "profile_busy" || !strings.Contains(message, "the task one (process ") {
		t.Errorf("a second task: %s: %s", code, message)
	}
	if list := get[profilesJSON](s, "profile", "list"); len(list.Profiles) != 1 || list.Profiles[0].Name != "work" || list.Profiles[0].Bytes == 0 || !strings.Contains(list.Profiles[0].User, "the task one") {
		t.Errorf("the profiles are %+v", list)
	}
	if code, _ := s.refused(exitFailed, "profile", "wipe", "work"); code != "profile_busy" {
		t.Errorf("wiping it while it is used: %s", code)
	}
	s.ok("disconnect", "one")

	s.ok("connect", "--launch", "--task", "two")
	s.ok("browser", "navigate", site, "--task", "two")
	if got := strings.TrimSpace(s.ok("eval", "--task", "two", "document.cookie + ' ' + localStorage.kept")); got != `"who=ada yes"` {
		t.Errorf("the next browser has %s", got)
	}
	s.ok("disconnect", "two")
	s.ok("connect", "--profile", "other", "--task", "three")
	s.ok("browser", "navigate", site, "--task", "three")
	if got := strings.TrimSpace(s.ok("eval", "--task", "three", "document.cookie")); got != `""` {
		t.Errorf("another profile has the cookies %s", got)
	}
	s.ok("disconnect", "three")
	if code, _ := s.refused(exitUsage, "connect", "--profile", "../work"); code != "bad_request" {
		t.Errorf("a profile elsewhere: %s", code)
	}
	path := filepath.Join(s.dir, ".local/share/hermes-cdp/profiles/work")
	s.says(exitOK, path, "", "profile", "show", "work")
	s.says(exitOK, "the profile work is gone", "", "profile", "wipe", "work")
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the wiped profile is left: %v", err)
	}
	s.says(exitFailed, "", "there is no profile", "profile", "show", "work")
	s.says(exitUsage, "", "no name of a profile", "profile", "wipe", "../work")
}
