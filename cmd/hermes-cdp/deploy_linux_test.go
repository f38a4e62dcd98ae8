package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const deploy = "../../deploy"

func readDeploy(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(deploy, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// What the service can do is little: systemd rates that from 0 to 10, and 2.0 is the most that is taken.
func TestTheServiceIsClosedToWhatItDoesNotNeed(t *testing.T) {
	unit := filepath.Join(deploy, "systemd", "hermes-cdp.service")
	if out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", "--threshold=20", unit).CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// systemd finds nothing wrong in the units, where the program is.
func TestTheUnitsAreRight(t *testing.T) {
	dir := t.TempDir()
	units, err := filepath.Glob(filepath.Join(deploy, "systemd", "*.s*"))
	if err != nil || len(units) != 3 {
		t.Fatalf("the units are %v, %v", units, err)
	}
	args := []string{"verify"}
	for _, unit := range units {
		text := strings.ReplaceAll(readDeploy(t, "systemd/"+filepath.Base(unit)), "/usr/bin/hermes-cdp", builtBinary(t))
		text = regexp.MustCompile(`(?m)^Documentation=.*$`).ReplaceAllString(text, "") // pages that are installed with them
		path := filepath.Join(dir, filepath.Base(unit))
		writeFile(t, path, []byte(text))
		args = append(args, path)
	}
	if out, err := exec.CommandContext(t.Context(), "systemd-analyze", args...).CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
		t.Errorf("%v:\n%s", err, out)
	}
}

// Every command of this program in what is deployed is one of today, and the configurations are right.
func TestWhatIsDeployedFitsTheProgram(t *testing.T) {
	for _, c := range []struct{ file, command string }{
		{"systemd/hermes-cdp.service", `(?m)^Exec(?:Start|Reload)=/usr/bin/hermes-cdp (.*)$`},
		{"container/Containerfile", `CMD \["hermes-cdp", (.*)\]`},
		{"prepare.sh", `(?m)^"\$program" (.*) >`},
	} {
		found := regexp.MustCompile(c.command).FindAllStringSubmatch(readDeploy(t, c.file), -1)
		if len(found) == 0 {
			t.Errorf("%s has no command", c.file)
		}
		for _, command := range found {
			words := strings.Fields(strings.NewReplacer(`"`, "", ",", "").Replace(command[1]))
			if err := (docsLine{words: words}).parse(); err != nil {
				t.Errorf("%s: %v: %v", c.file, words, err)
			}
		}
	}
	for _, file := range []string{"debian/config.yaml", "container/config.yaml"} {
		if exit, _, errs := runInProcess(t, []string{"config", "show", "--config", filepath.Join(deploy, filepath.FromSlash(file))}, []string{"HOME=" + t.TempDir()}); exit != exitOK {
			t.Errorf("%s: %s", file, errs)
		}
	}
	// The sockets are where the configuration has them, so that commands find the daemon.
	config := readDeploy(t, "debian/config.yaml")
	for _, socket := range []string{"control", "agents"} {
		at := regexp.MustCompile(`ListenStream=(.*)`).FindStringSubmatch(readDeploy(t, "systemd/hermes-cdp-"+socket+".socket"))
		if at == nil || !strings.Contains(config, ": "+at[1]+"\n") {
			t.Errorf("the configuration does not have the socket %v", at)
		}
	}
	container := readDeploy(t, "container/Containerfile")
	for _, want := range []string{"\nUSER 10001:10001\n", "\nHEALTHCHECK ", "chromium", "\nVOLUME "} {
		if !strings.Contains(container, want) {
			t.Errorf("the container file has no %q", want)
		}
	}
}

// The same sources give the same program, wherever they are: what is released can be checked by whoever builds it. As
// it compiles everything twice, make test only looks whether releases are built as it would; make test-long does it.
func TestTheProgramIsReproducible(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if config, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml")); err != nil ||
		!bytes.Contains(config, []byte("flags: [-trimpath]\n    ldflags: [-s -w -buildid=]")) || !bytes.Contains(config, []byte("CGO_ENABLED=0")) {
		t.Errorf("releases are built in another way: %v", err)
	}
	if os.Getenv("HERMES_CDP_TESTS") != "long" {
		return
	}
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	parts := []string{"abi", "cmd", "docs", "host", "internal", "plugins", "sdk", "go.mod", "go.sum", "sources.go"}
	documents, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range documents {
		parts = append(parts, filepath.Base(document))
	}
	for _, part := range parts {
		if err := copyTree(filepath.Join(root, part), filepath.Join(elsewhere, part)); err != nil {
			t.Fatal(err)
		}
	}
	sum := func(dir string) [32]byte {
		out := filepath.Join(t.TempDir(), "hermes-cdp")
		// The flags are those of .goreleaser.yaml, but for the version, which comes from the repository.
		cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", out, "./cmd/hermes-cdp")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(dir)) {
			t.Errorf("the program has %s in it", dir)
		}
		return sha256.Sum256(data)
	}
	if here, there := sum(root), sum(elsewhere); here != there {
		t.Errorf("the program is %x here, and %x elsewhere", here, there)
	}
}

func copyTree(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return errors.Join(os.MkdirAll(to, 0o755), os.CopyFS(to, os.DirFS(from)))
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, fs.FileMode(0o644)))
}
