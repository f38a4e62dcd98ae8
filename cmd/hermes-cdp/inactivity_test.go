//go:build unix

package main

import (
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/provider/providertest"
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

// Elsewhere, too, the task ends; and what is rented is released.
func TestATaskThatNobodyUsesEndsOnEachBackend(t *testing.T) {
	for name, variables := range map[string][]string{
		"connected":   nil,
		"browserbase": {"BROWSERBASE_API_KEY", "BROWSERBASE_PROJECT_ID", "BROWSERBASE_BASE_URL"},
		"browser-use": {"BROWSER_USE_API_KEY", "BROWSER_USE_BASE_URL"},
		"firecrawl":   {"FIRECRAWL_API_KEY", "FIRECRAWL_API_URL"},
		"cdp":         {"RENT_TOKEN"},
	} {
		t.Run(name, func(t *testing.T) {
			browser := hosttest.Browser(t, hosttest.WithPort()).WebSocketURL()
			service := providertest.New(t, browser)
			s := newShell(t)
			s.env = []string{"BROWSER_INACTIVITY_TIMEOUT=0.5"}
			for _, variable := range variables {
				s.env = append(s.env, variable+"="+service.Getenv(variable))
			}
			settings := []string{"--set", "browser.provider=" + name}
			switch name {
			case "connected":
				settings = []string{"--connect", browser}
			case "cdp":
				for key, value := range map[string]string{
					"url": service.URL + "/rent", "headers.Authorization": "Bearer ${RENT_TOKEN}", "id": "/browser/name", "endpoint": "/browser/sockets/0",
					"release_url": service.URL + "/rent/{id}/end", "release_method": "POST",
				} {
					settings = append(settings, "--set", "provider."+key+"="+value)
				}
			}
			p := s.start(append([]string{"run"}, settings...)...)
			p.stdout.next(t, "ready at")
			s.ok("browser", "navigate", shopSite(t), "--task", "theirs")
			if running := len(service.Running()); running != min(1, len(variables)) {
				t.Errorf("the service runs %d", running)
			}
			p.stderr.next(t, "no call has worked on it")
			service.Await(func() bool { return len(service.Running()) == 0 })
			for _, task := range s.status().Tasks {
				if task.ID == "theirs" {
					t.Errorf("there still is %+v", task)
				}
			}
		})
	}
}
