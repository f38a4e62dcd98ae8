//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// bash-completion, which cobra's script needs, has this function; where it is not installed this is enough of it.
const wordsOfBash = `declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
	local line=${COMP_LINE:0:$COMP_POINT}
	read -ra words <<<"$line"
	[[ $line == *' ' ]] && words+=('')
	cword=$((${#words[@]} - 1)); cur=${words[cword]}; prev=${words[cword-1]}
}
`

// A real bash, in a terminal, completes what a person types.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal("bash is needed: apt-get install bash")
	}
	s := newShell(t)
	rc := filepath.Join(s.dir, "rc")
	writeFile(t, rc, []byte(wordsOfBash+"PS1='$ '; bind 'set enable-bracketed-paste off'; source <(hermes-cdp completion bash)\n"))
	cmd := s.command()
	shell := exec.CommandContext(t.Context(), bash, "--noprofile", "--rcfile", rc, "-i")
	shell.Env = append(cmd.Env, "TERM=dumb", "PATH="+filepath.Dir(s.binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	m := s.terminal(shell, 150, 50)
	m.sees("$")
	for _, c := range []struct{ typed, seen string }{
		{"hermes-cdp bro\twai\t", "$ hermes-cdp browser wait-for"},
		{"hermes-cdp browser navigate u --wait-until dom\t", "$ hermes-cdp browser navigate u --wait-until domcontentloaded"},
		{"hermes-cdp browser navigate u --wait-until=net\t", "$ hermes-cdp browser navigate u --wait-until=networkidle"},
		{"hermes-cdp tools enable browser_navi\t", "$ hermes-cdp tools enable browser_navigate"},
		{"hermes-cdp run --set browser.headl\ttr\t", "$ hermes-cdp run --set browser.headless=true"},
	} {
		m.types(c.typed)
		m.sees(c.seen)
		m.types("\x15") // forgets the line
	}
	m.types("exit\r")
	if exit := m.exits(); exit != exitOK {
		t.Errorf("bash ended with %d", exit)
	}
}
