//go:build !linux

package browser

// lookAround finds out what the machine forces on a browser: outside of Linux nothing.
func lookAround(opts LaunchOptions, _ string) surroundings {
	return surroundings{noSandbox: opts.Sandbox == SandboxOff}
}
