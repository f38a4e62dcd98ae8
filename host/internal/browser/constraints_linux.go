package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// minShared is the size in bytes below which /dev/shm is too small. Docker provides 64 MiB, and renderers then crash on
// large pages.
const minShared = 512 << 20

// detectConstraints finds out what the machine imposes on a browser.
func detectConstraints(opts LaunchOptions, executable string) constraints {
	var fs syscall.Statfs_t
	err := syscall.Statfs("/dev/shm", &fs)
	limits := constraints{
		smallShared: err != nil || fs.Bavail*uint64(fs.Bsize) < minShared,
		unusable:    sandboxUnusable(executable),
	}
	limits.noSandbox = opts.Sandbox == SandboxOff || opts.Sandbox == SandboxAuto && (os.Geteuid() == 0 || inContainer() && limits.unusable != "")
	return limits
}

// sandboxUnusable says why Chromium cannot use its sandbox here; empty if it can.
func sandboxUnusable(executable string) string {
	switch {
	case os.Geteuid() == 0:
		return "this process is root"
	case !hasSetuidSandbox(executable) && !hasUserNamespaces():
		return "the system allows no user namespaces"
	}
	return ""
}

// inContainer reports whether a common container runtime or CI service runs this process. Outside of those, a sandbox
// that does not work is a fault to repair, not one to work around silently.
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

// hasUserNamespaces tries to create one, which is the only test that covers sysctl, seccomp and AppArmor.
func hasUserNamespaces() bool {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
	}
	return cmd.Run() == nil
}
