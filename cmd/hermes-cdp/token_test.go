//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// as is a shell whose commands act as the agent of a token.
func (s *shell) as(token string) *shell {
	agent := *s
	agent.env = append(append([]string{}, s.env...), "HERMES_CDP_TOKEN="+token)
	return &agent
}

func TestATokenIsMadeListedAndRevokedWithADaemonAndWithout(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(s.dir, "shop.token")
	before := get[access.Made](s, "token", "new", "--name", "before", "--task", "a", "--toolset", "browser")
	p, at := s.startDaemon()
	if names := tokenNamesOf(s); names != "before" {
		t.Errorf("the daemon has %s", names)
	}
	s.ok("token", "new", "--name", "shop", "--task", "shop-*", "--task", "mail", "--toolset", "browser,browser_cdp", "--expires", "24h", "--output", file)
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("the file of the token is %v, %v", info, err)
	}
	for _, line := range []string{"shop", "shop-*,mail", "browser,browser_cdp"} {
		if list := s.ok("token", "list"); !strings.Contains(list, line) {
			t.Errorf("%q is not in the list:\n%s", line, list)
		}
	}
	if code, _ := s.refused(exitFailed, "token", "new", "--name", "shop", "--task", "a", "--toolset", "all", "--output", file+".2"); code != "token_exists" {
		t.Errorf("the name again is refused with %s", code)
	}
	if _, err := os.Stat(file + ".2"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file without a token is left: %v", err)
	}
	if code, _ := s.refused(exitUsage, "token", "new", "--name", "x", "--task", "a", "--toolset", "all", "--output", file); code != "usage" {
		t.Errorf("a file that is there is refused with %s", code)
	}
	if code, _ := s.refused(exitUsage, "token", "new", "--name", "x", "--task", "a", "--toolset", "nothing"); code != "bad_token" {
		t.Errorf("a toolset that there is not is refused with %s", code)
	}
	s.ok("tools", "call", "browser_close", "--token-file", file)
	s.ok("token", "revoke", "shop")
	if code, _ := s.refused(exitFailed, "tools", "call", "browser_close", "--token-file", file); code != "unauthorized" {
		t.Errorf("after its end the token is refused with %s", code)
	}
	if list := get[[]access.Token](s, "token", "list"); len(list) != 1 || list[0].Name != "before" {
		t.Errorf("then there are %+v", list)
	}
	s.leavesNothing(p, at, syscall.SIGTERM)
	s.ok("token", "revoke", "before")
	if code, _ := s.refused(exitFailed, "token", "revoke", "before"); code != "unknown_token" {
		t.Errorf("once more it is refused with %s", code)
	}
	again, _ := s.startDaemon()
	defer again.end(syscall.SIGTERM)
	if code, _ := s.as(before.Secret).refused(exitFailed, "tools", "call", "browser_close"); code != "unauthorized" {
		t.Errorf("a token that was revoked without a daemon is refused with %s", code)
	}
}

func tokenNamesOf(s *shell) string {
	var names []string
	for _, t := range get[[]access.Token](s, "token", "list") {
		names = append(names, t.Name)
	}
	return strings.Join(names, " ")
}

// A command with a token is that agent: by the agents' socket, and by the port where one is configured.
func TestACommandWithATokenActsAsItsAgent(t *testing.T) {
	for name, byPort := range map[string]bool{"socket": false, "port": true} {
		t.Run(name, func(t *testing.T) {
			s := newShell(t)
			_, at := s.startDaemon("--set", "control.address=127.0.0.1:0")
			if byPort {
				s.env = append(s.env, "HERMES_CDP_CONTROL_ADDRESS="+at.Address)
			}
			made := get[access.Made](s, "token", "new", "--name", "shop", "--task", "shop", "--toolset", "browser-read")
			shop := s.as(made.Secret)
			shop.ok("tools", "call", "browser_close") // of the task shop, which needs no browser for it
			for _, args := range [][]string{
				{"status"}, {"plugin", "swap", "dialog-policy", os.Args[0]}, {"plugin", "journal"}, {"connect"}, {"disconnect", "shop"},
				{"eval", "1", "--task", "shop"}, {"cdp", "Page.reload", "--task", "shop"}, {"events", "--follow"},
			} {
				if code, message := shop.refused(exitFailed, args...); code != "forbidden" || strings.Contains(message, made.Secret) {
					t.Errorf("%v is refused with %s: %s", args, code, message)
				}
			}
			if code, _ := shop.refused(exitFailed, "tools", "call", "browser_close", "--task", "mail"); code != "forbidden" {
				t.Errorf("a foreign task is refused with %s", code)
			}
			if code, _ := shop.refused(exitFailed, "tools", "call", "browser_click", "--arg", "ref=e1"); code != "unknown_tool" {
				t.Errorf("a tool that the token does not have is refused with %s", code)
			}
			var status struct {
				Tools map[string]agent.ToolCounters `json:"tools"`
			}
			if err := json.Unmarshal([]byte(s.ok("status", "--json")), &status); err != nil || len(status.Tools) != 1 || status.Tools["browser_close"].Calls != 1 {
				t.Errorf("other calls were counted: %+v, %v", status, err)
			}
		})
	}
}

func TestATokenIsTheOperatorsToMake(t *testing.T) {
	s := newShell(t)
	made := get[access.Made](s, "token", "new", "--name", "shop", "--task", "*", "--toolset", "all")
	shop := s.as(made.Secret)
	for _, daemon := range []bool{false, true} {
		if daemon {
			s.startDaemon()
		}
		for _, args := range [][]string{
			{"token", "new", "--name", "x", "--task", "*", "--toolset", "all"}, {"token", "list"}, {"token", "revoke", "shop"},
		} {
			if code, _ := shop.refused(exitFailed, args...); code != "forbidden" {
				t.Errorf("%v is refused with %s", args, code)
			}
		}
	}
	if names := tokenNamesOf(s); names != "shop" {
		t.Errorf("there are %s", names)
	}
}

// The token is on standard output alone, once; no log, list, error or file has it but the one that it is written to.
func TestATokenIsShownOnceAndNowhereElse(t *testing.T) {
	s := newShell(t)
	p := s.start("run", "--json", "--log-level", "debug")
	p.stdout.next(t, "socket")
	out, errs, exit := s.run("token", "new", "--name", "shop", "--task", "shop", "--toolset", "browser", "--log-level", "debug")
	secret := strings.TrimSpace(out)
	if exit != exitOK || strings.ContainsAny(secret, " \n") || len(secret) < 43 || strings.Contains(errs, secret) {
		t.Fatalf("exit %d, stdout %q, stderr %q", exit, out, errs)
	}
	seen := []string{}
	for _, args := range [][]string{
		{"tools", "call", "browser_close"}, {"tools", "call", "browser_close", "--task", "mail"}, {"status"}, {"tools", "call", "nothing"},
		{"config", "show"}, {"config", "show", "--json"},
	} {
		out, errs, _ := s.as(secret).run(append(args, "--log-level", "debug")...)
		seen = append(seen, out, errs)
	}
	wrong := secret[:len(secret)-3] + "xyz"
	out, errs, exit = s.as(wrong).run("tools", "call", "browser_close")
	if exit != exitFailed || strings.Contains(out+errs, wrong) {
		t.Errorf("a wrong token: exit %d, %s %s", exit, out, errs)
	}
	seen = append(seen, s.ok("token", "list", "--json"), s.ok("token", "list"), s.ok("token", "revoke", "shop"))
	out, errs, _ = s.as(secret).run("tools", "call", "browser_close")
	seen = append(seen, out, errs)
	if exit := p.end(syscall.SIGTERM); exit != exitOK {
		t.Errorf("the daemon ended with %d", exit)
	}
	for _, text := range append(seen, p.stdout.text(), p.stderr.text()) {
		if strings.Contains(text, secret) || strings.Contains(text, wrong) {
			t.Errorf("the token is in %s", text)
		}
	}
	err := filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), secret) {
			t.Errorf("the token is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAFileOfATokenThatOthersCanReadIsRefused(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(s.dir, "token")
	if err := errors.Join(os.WriteFile(file, []byte("known\n"), 0o600), os.Chmod(file, 0o644)); err != nil {
		t.Fatal(err)
	}
	if code, message := s.refused(exitUsage, "tools", "call", "browser_close", "--token-file", file); code != "usage" || !strings.Contains(message, "--token-file") || strings.Contains(message, "known") {
		t.Errorf("it is refused with %s: %s", code, message)
	}
}
