//go:build !linux

package browser

// detectConstraints finds out what the machine imposes on a browser: nothing outside Linux.
func detectConstraints(opts LaunchOptions, _ string) constraints {
	return constraints{noSandbox: opts.Sandbox == SandboxOff}
}
