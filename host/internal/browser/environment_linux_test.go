package browser

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// environOf reads the environment that a process was started with; what has ended meanwhile has none.
func environOf(pid int) []string {
	content, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return strings.Split(string(bytes.TrimRight(content, "\x00")), "\x00")
}

func TestABrowserGetsNoSecretOfTheEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_SECRET_ACCESS_KEY": "the secret", "HERMES_CDP_VISION_API_KEY": "the secret", "LANGUAGE": "de", "LC_TIME": "de_DE.UTF-8",
		"WANTED": "yes", "WANTED_TOO_1": "yes", "XSECRET": "the secret", "PATHS": "the secret",
	} {
		t.Setenv(name, value)
	}
	p := launch(t, LaunchOptions{Environment: []string{"WANTED", "WANTED_TOO_*"}})
	connect(t, p)
	processes := p.Survivors()
	if len(processes) < 3 {
		t.Fatalf("%v are the browser's processes", processes)
	}
	for _, pid := range processes {
		for _, variable := range environOf(pid) {
			if strings.Contains(variable, "the secret") {
				t.Errorf("process %d has %s", pid, variable)
			}
		}
	}
	for _, variable := range []string{"LANGUAGE=de", "LC_TIME=de_DE.UTF-8", "WANTED=yes", "WANTED_TOO_1=yes", "PATH=" + filepath.Join(p.UserDataDir(), handlersFolder) + ":" + os.Getenv("PATH")} {
		if !slices.Contains(environOf(p.PID()), variable) {
			t.Errorf("%s is missing", variable)
		}
	}
}

func TestABrowserIsToldThatItHandlesEveryScheme(t *testing.T) {
	system := []string{"HOME=/nowhere", "PATH=" + os.Getenv("PATH")}
	dir := t.TempDir()
	for range 2 { // a profile is used again
		environ, err := withOwnHandlers(slices.Clone(system), dir)
		if err != nil {
			t.Fatal(err)
		}
		ask := exec.Command("/bin/sh", "-c", "xdg-settings check default-url-scheme-handler tel chromium.desktop")
		ask.Env = environ
		if answer, err := ask.Output(); err != nil || string(answer) != "yes\n" {
			t.Errorf("%q, %v", answer, err)
		}
	}
	// What stands after the separator would be searched for programs, too.
	if environ, err := withOwnHandlers(slices.Clone(system), dir+":elsewhere"); err != nil || !slices.Equal(environ, system) {
		t.Errorf("%v, %v", environ, err)
	}
}
