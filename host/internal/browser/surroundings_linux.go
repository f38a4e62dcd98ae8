package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// minShared is the size in bytes below which /dev/shm is too small: Docker gives 64 MiB, and renderers then crash on
// large pages.
const minShared = 512 << 20

// lookAround finds out what the machine forces on a browser.
func lookAround(opts LaunchOptions, executable string) surroundings {
	var fs syscall.Statfs_t
	err := syscall.Statfs("/dev/shm", &fs)
	around := surroundings{
		smallShared: err != nil || fs.Bavail*uint64(fs.Bsize) < minShared,
		unusable:    sandboxUnusable(executable),
	}
	around.noSandbox = opts.Sandbox == SandboxOff || opts.Sandbox == SandboxAuto && (os.Geteuid() == 0 || inContainer() && around.unusable != "")
	return around
}

// sandboxUnusable says why Chromium cannot use its sandbox here; empty where it can.
func sandboxUnusable(executable string) string {
	switch {
	case os.Geteuid() == 0:
		return "this process is root"
	case !hasSetuidSandbox(executable) && !hasUserNamespaces():
		return "the system allows no user namespaces"
	}
	return ""
}

// inContainer says whether the usual container runtimes or a CI service run this process. Outside of them a sandbox that
// does not work is a fault to repair, not one to work around silently.
func inContainer() bool {
	for _, mark := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(mark); err == nil {
			return true
		}
	}
	return os.Getenv("CI") != "" || os.Getenv("KUBERNETES_SERVICE_HOST") != "" || os.Getenv("container") != ""
}

// hasSetuidSandbox looks for Chromium's older sandbox, which needs no user namespaces.
func hasSetuidSandbox(executable string) bool {
	real, err := filepath.EvalSymlinks(executable)
	if err != nil {
		return false
	}
	for _, dir := range []string{filepath.Dir(real), "/usr/lib/chromium", "/usr/lib/chromium-browser", "/opt/google/chrome"} {
		info, err := os.Stat(filepath.Join(dir, "chrome-sandbox"))
		if err == nil && info.Mode()&os.ModeSetuid != 0 {
			return true
		}
	}
	return false
}

// hasUserNamespaces tries to make one, the only test that all of sysctl, seccomp and AppArmor take part in.
func hasUserNamespaces() bool {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
	}
	return cmd.Run() == nil
}
