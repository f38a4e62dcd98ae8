package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

// What a task is to emulate is true for the first script of its first page, in a browser of its own as well, where
// permissions can be granted, too.
func TestTheFirstPageFindsWhatItsTaskEmulates(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	s := serve(ctx, t, toldPages)
	h := newHost(t, host.Options{})
	task, err := h.Launch(ctx, t.Name(), &host.LaunchOptions{Executable: hosttest.Executable(t)}, &host.TaskOptions{
		URL: s.url("localhost", "/framed"), Device: "Pixel 7", Emulation: host.Emulation{
			UserAgent: "Tester/1.0", Locale: "de-CH", Timezone: "Asia/Tokyo", ColorScheme: "dark", Geolocation: &host.Geolocation{Latitude: 47.5, Longitude: 8.25, Accuracy: 12},
			Permissions: []host.Permission{{Origin: s.url("localhost", ""), Name: "geolocation", State: "granted"}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{site: s, Task: task, t: t, ctx: ctx, host: h}
	if err := w.Tab("").WaitLoad(ctx, host.WaitLoad); err != nil {
		t.Fatal(err)
	}
	w.expect("", "first", `"Tester/1.0,Asia/Tokyo,de-CH,true,false,false,true,5"`)
	w.expect("", "innerWidth", "412")
	w.expect("", permission, `"granted"`)
	w.expect("", place, `"47.5,8.25,12"`)
	if got := task.Emulation(); got.Timezone != "Asia/Tokyo" || !got.Mobile {
		t.Errorf("it emulates %+v", got)
	}
	if list := host.Devices(); !slices.Contains(list, "Pixel 7") || slices.Contains(list, "Pixel 0") {
		t.Errorf("the devices are %q", list)
	}
	if _, err := h.Launch(ctx, "another", &host.LaunchOptions{Executable: hosttest.Executable(t)}, &host.TaskOptions{Device: "Pixel 0"}); !errors.Is(err, host.ErrBadArguments) {
		t.Errorf("a device that is none: %v", err)
	}
}

// A task that is wiped leaves nothing of its profile, and one that shares its storage is not even closed.
func TestAWipedTaskLeavesNothingOfItsProfile(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	s := serve(ctx, t, storingPages)
	profile := filepath.Join(t.TempDir(), "profile")
	h := newHost(t, host.Options{})
	task, err := h.Launch(ctx, t.Name(), &host.LaunchOptions{Executable: hosttest.Executable(t), UserDataDir: profile}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := commit(ctx, task.Tab(""), s.url("localhost", "/store")); err != nil {
		t.Fatal(err)
	}
	if task.Profile() != profile {
		t.Errorf("the profile is %q", task.Profile())
	}
	if err := task.Wipe(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(profile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of the profile there is %v", err)
	}
	if h.Task(t.Name()) != nil {
		t.Error("the task is still there")
	}
	shared := attachAs(t, h, "shared", common.Address(t), host.TaskOptions{Scope: host.ScopeTab})
	if err := shared.Wipe(ctx); !errors.Is(err, host.ErrRefused) || h.Task("shared") == nil {
		t.Errorf("a task that shares its storage: %v", err)
	}
}
