package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// Install installs Chromium from the packages of the distribution (apt, dnf, pacman, apk, zypper), as root or with
// "sudo -n", and returns the path of the executable. The output of the package manager goes to out. If that is not
// possible, the error says what to do by hand.
func Install(ctx context.Context, out io.Writer) (path string, err error) {
	in := installer{
		isRoot: os.Geteuid() == 0,
		has: func(name string) bool {
			_, err := exec.LookPath(name)
			return err == nil
		},
		run: func(ctx context.Context, name string, args ...string) error {
			cmd := exec.CommandContext(ctx, name, args...)
			cmd.Stdout, cmd.Stderr = out, out
			cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
			return cmd.Run()
		},
	}
	if err := in.install(ctx, out); err != nil {
		return "", err
	}
	return Find("")
}

// installer is Install with its access to the system, so that it can be tested without installing anything.
type installer struct {
	isRoot bool
	has    func(name string) bool
	run    func(ctx context.Context, name string, args ...string) error
}

// packageManagers are the commands of each package manager, in the order in which they are looked for. The last command
// of a manager is tried with each of its package names.
var packageManagers = []struct {
	name     string
	prepare  []string
	install  []string
	packages []string
}{
	// Ubuntu has no chromium package; its chromium-browser installs the snap.
	{"apt-get", []string{"update"}, []string{"install", "-y", "--no-install-recommends"}, []string{"chromium", "chromium-browser"}},
	{"dnf", nil, []string{"install", "-y"}, []string{"chromium"}},
	{"pacman", nil, []string{"-Sy", "--noconfirm", "--needed"}, []string{"chromium"}},
	{"apk", nil, []string{"add", "--no-cache"}, []string{"chromium"}},
	{"zypper", nil, []string{"--non-interactive", "install", "--no-recommends"}, []string{"chromium"}},
}

func (in installer) install(ctx context.Context, out io.Writer) error {
	for _, m := range packageManagers {
		if !in.has(m.name) {
			continue
		}
		run := func(args ...string) error {
			if in.isRoot {
				fmt.Fprintln(out, "+", m.name, strings.Join(args, " "))
				return in.run(ctx, m.name, args...)
			}
			fmt.Fprintln(out, "+ sudo -n", m.name, strings.Join(args, " "))
			return in.run(ctx, "sudo", append([]string{"-n", m.name}, args...)...)
		}
		if !in.isRoot && (!in.has("sudo") || in.run(ctx, "sudo", "-n", "true") != nil) {
			return fmt.Errorf("cannot install a browser: not root, and sudo asks for a password or is missing; run as root: %s %s %s",
				m.name, strings.Join(m.install, " "), m.packages[0])
		}
		if m.prepare != nil {
			if err := run(m.prepare...); err != nil {
				return fmt.Errorf("install a browser: %s %s: %w", m.name, m.prepare[0], err)
			}
		}
		var failed error
		for _, name := range m.packages {
			err := run(append(append([]string{}, m.install...), name)...)
			if err == nil {
				return nil
			}
			failed = errors.Join(failed, fmt.Errorf("%s: %w", name, err))
			if ctx.Err() != nil {
				break
			}
		}
		return fmt.Errorf("install a browser with %s: %w", m.name, failed)
	}
	return errors.New("cannot install a browser: there is no apt-get, dnf, pacman, apk or zypper; install one by hand (" + installHint + ")")
}
