package browser

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestInstall(t *testing.T) {
	for _, tc := range []struct {
		name   string
		isRoot bool
		here   []string // commands that exist
		fails  []string // commands that fail
		want   []string // commands that were run
		err    string   // part of the error; empty for success
	}{
		{"root with apt", true, []string{"apt-get"}, nil,
			[]string{"apt-get update", "apt-get install -y --no-install-recommends chromium"}, ""},
		{"a user with apt and sudo", false, []string{"apt-get", "sudo"}, nil,
			[]string{"sudo -n true", "sudo -n apt-get update", "sudo -n apt-get install -y --no-install-recommends chromium"}, ""},
		{"Ubuntu, where the package has another name", true, []string{"apt-get"},
			[]string{"apt-get install -y --no-install-recommends chromium"},
			[]string{"apt-get update", "apt-get install -y --no-install-recommends chromium",
				"apt-get install -y --no-install-recommends chromium-browser"}, ""},
		{"dnf", true, []string{"dnf"}, nil, []string{"dnf install -y chromium"}, ""},
		{"pacman", true, []string{"pacman"}, nil, []string{"pacman -Sy --noconfirm --needed chromium"}, ""},
		{"apk", true, []string{"apk"}, nil, []string{"apk add --no-cache chromium"}, ""},
		{"a user without sudo", false, []string{"apt-get"}, nil, nil, "run as root: apt-get install -y --no-install-recommends chromium"},
		{"a user whose sudo asks", false, []string{"dnf", "sudo"}, []string{"sudo -n true"}, []string{"sudo -n true"}, "run as root: dnf install -y chromium"},
		{"no package manager", true, nil, nil, nil, "brew install --cask chromium"},
		{"no network", true, []string{"apt-get"}, []string{"apt-get update"}, []string{"apt-get update"}, "apt-get update: refused"},
		{"no such package", true, []string{"dnf"}, []string{"dnf install -y chromium"}, []string{"dnf install -y chromium"}, "chromium: refused"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var ran []string
			in := installer{
				isRoot: tc.isRoot,
				has:    func(name string) bool { return slices.Contains(tc.here, name) },
				run: func(_ context.Context, name string, args ...string) error {
					line := name + " " + strings.Join(args, " ")
					ran = append(ran, line)
					if slices.Contains(tc.fails, line) {
						return errors.New("refused")
					}
					return nil
				},
			}
			var out bytes.Buffer
			err := in.install(t.Context(), &out)
			if (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("got error %v, want %q", err, tc.err)
			}
			if !slices.Equal(ran, tc.want) {
				t.Errorf("ran\n%s\nwant\n%s", strings.Join(ran, "\n"), strings.Join(tc.want, "\n"))
			}
			if tc.err == "" && !strings.Contains(out.String(), "install") && !strings.Contains(out.String(), "chromium") {
				t.Errorf("the output %q does not show what was run", out.String())
			}
		})
	}
}
