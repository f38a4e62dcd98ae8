package main

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolresult"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// The exit codes of the command; docs/cli.md has the same table.
const (
	exitOK          = 0 // it worked
	exitFailed      = 1 // it failed, or a check did
	exitUsage       = 2 // the command line or the configuration is wrong; nothing was done
	exitBlocked     = 3 // a dialog holds the tab
	exitDifferent   = 3 // a replay worked, and decisions differ
	exitUnreachable = 4 // no daemon, or the browser's connection is lost
	exitTimeout     = 5 // the time given was not enough
	exitDegraded    = 6 // the daemon runs, and is not as it is configured
)

const exitCodes = "Exit codes: 0 it worked, 1 it failed, 2 the command line or the configuration is wrong, 3 a dialog holds the tab,\n" +
	"or a replay found decisions that differ, 4 no daemon is running or the browser is disconnected, 5 the time given was not enough,\n" +
	"6 status: the daemon does not match its configuration."

// classify returns the exit code of an error, and the error as it is shown.
func classify(err error) (int, *control.Error) {
	e := control.ErrorOf(err)
	var failed toolresult.Failure
	if errors.As(err, &failed) {
		e = failed.Wire()
	}
	return e.Code.ExitCode(), e
}

// nextOf says what to type after an error, where that depends on the tool.
func nextOf(err error) []string {
	var failed toolresult.Failure
	if !errors.As(err, &failed) {
		return nil
	}
	return failed.Next()
}
