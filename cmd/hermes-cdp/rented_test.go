//go:build unix

package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/provider/providertest"
)

// rents is a shell whose commands rent browsers from a service.
func rents(t *testing.T, service *providertest.Server) *shell {
	t.Helper()
	s := newShell(t)
	for _, name := range []string{"BROWSERBASE_API_KEY", "BROWSERBASE_PROJECT_ID", "BROWSERBASE_BASE_URL"} {
		s.env = append(s.env, name+"="+service.Getenv(name))
	}
	return s
}

func requestLines(service *providertest.Server) (list []string) {
	for _, r := range service.Requests() {
		list = append(list, r.Line)
	}
	return list
}

func TestABrowserThatAKilledDaemonHadRentedIsReleasedByTheNextStart(t *testing.T) {
	service := providertest.New(t, "")
	service.Hold()
	s := rents(t, service)
	first := s.start("run")
	first.stdout.next(t, "ready at")
	s.start("connect")
	service.Await(func() bool { return service.Held() == 1 }) // it is rented, and not in use yet
	first.end(syscall.SIGKILL)
	if running := service.Running(); len(running) != 1 {
		t.Fatalf("the service runs %v", running)
	}
	leases := filepath.Join(s.dir, ".local", "state", "hermes-cdp", "leases")
	files, err := os.ReadDir(leases)
	if err != nil || len(files) != 1 {
		t.Fatalf("the leases are in %v, %v", files, err)
	}
	text, err := os.ReadFile(filepath.Join(leases, files[0].Name()))
	if err != nil || !strings.Contains(string(text), service.Running()[0]) {
		t.Errorf("the journal says %s, %v", text, err)
	}
	keepsSecrets(t, service, string(text))

	second := s.start("run")
	service.Await(func() bool { return len(service.Running()) == 0 })
	second.stdout.next(t, "ready at")
	if exit := second.end(syscall.SIGTERM); exit != exitOK {
		t.Errorf("the daemon ends with %d", exit)
	}
	if want := []string{"POST /v1/sessions", "POST /v1/sessions/{id}"}; !reflect.DeepEqual(requestLines(service), want) {
		t.Errorf("the service got %v, want %v", requestLines(service), want)
	}
	if files, err := os.ReadDir(leases); err != nil || len(files) > 0 {
		t.Errorf("the journal still has %v, %v", files, err)
	}
}

func TestTheStatusShowsARentedBrowserWhichSIGTERMReleases(t *testing.T) {
	service := providertest.New(t, hosttest.Browser(t, hosttest.WithPort()).WebSocketURL())
	s := rents(t, service)
	daemon := s.start("run")
	daemon.stdout.next(t, "ready at")
	connected := s.ok("connect")
	rented := s.status().Tasks[0].Rented
	text := s.ok("status")
	switch {
	case rented == nil || rented.Provider != "browserbase" || !reflect.DeepEqual([]string{rented.SessionID}, service.Running()) || rented.ExpiresAt.IsZero():
		t.Errorf("the status has %+v, the service runs %v", rented, service.Running())
	case !strings.Contains(text, "rented from browserbase, session "+rented.SessionID+", until ") || !strings.Contains(text, "live view "+rented.LiveView):
		t.Errorf("the status says %s", text)
	}
	shown := s.ok("config", "show")
	if exit := daemon.end(syscall.SIGTERM); exit != exitOK || len(service.Running()) > 0 {
		t.Errorf("the daemon ends with %d, the service runs %v", exit, service.Running())
	}
	if want := []string{"POST /v1/sessions", "POST /v1/sessions/{id}"}; !reflect.DeepEqual(requestLines(service), want) {
		t.Errorf("the service got %v, want %v", requestLines(service), want)
	}
	keepsSecrets(t, service, connected, text, shown, daemon.stdout.text(), daemon.stderr.text())
}

func TestTheStatusSaysWhyABrowserIsLocal(t *testing.T) {
	service := providertest.New(t, "")
	service.Fail(providertest.Status(403), providertest.Status(403))
	s := rents(t, service)
	daemon := s.start("run", "--set", "browser.executable="+hosttest.Executable(t))
	daemon.stdout.next(t, "ready at")
	s.ok("connect")
	task, text := s.status().Tasks[0], s.ok("status")
	if task.Rented != nil || !strings.Contains(task.Fallback, "check the key in BROWSERBASE_API_KEY") || !strings.Contains(text, "local because renting failed: browserbase") {
		t.Errorf("the status has %+v and says %s", task, text)
	}
	s.ok("disconnect")
	daemon.end(syscall.SIGTERM)
	strict := s.start("run", "--set", "browser.provider_fallback=fail")
	strict.stdout.next(t, "ready at")
	code, message := s.refused(exitFailed, "connect")
	if code != "provider" || !strings.Contains(message, "check the key in BROWSERBASE_API_KEY") {
		t.Errorf("without a fallback the error is %s: %s", code, message)
	}
	strict.end(syscall.SIGTERM)
	keepsSecrets(t, service, text, task.Fallback, message, daemon.stdout.text(), daemon.stderr.text(), strict.stderr.text())
}

// keepsSecrets checks that no text has a key or a signed endpoint.
func keepsSecrets(t *testing.T, service *providertest.Server, texts ...string) {
	t.Helper()
	for _, text := range texts {
		for _, secret := range service.Secrets() {
			if strings.Contains(text, secret) {
				t.Errorf("the secret %s is in %s", secret, text)
			}
		}
	}
}
