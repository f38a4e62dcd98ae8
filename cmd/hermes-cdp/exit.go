package main

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolresult"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
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

// usageError is a command line that is wrong.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// classify returns the exit code of an error, and the error as it is shown.
func classify(err error) (int, *control.Error) {
	var usage usageError
	var configuration *config.Error
	var different differenceError
	var unlike degradedError
	var failed toolresult.Failure
	switch {
	case errors.As(err, &unlike):
		return exitDegraded, &control.Error{Code: "degraded", Message: unlike.Error()}
	case errors.As(err, &different):
		return exitDifferent, &control.Error{Code: "differences", Message: err.Error()}
	case errors.As(err, &failed):
		return exitOf(failed), failed.Wire()
	case errors.As(err, &usage), errors.Is(err, agent.ErrToolset), errors.Is(err, agent.ErrFormat), errors.Is(err, toolresult.ErrNoPlace):
		return exitUsage, &control.Error{Code: "usage", Message: err.Error()}
	case errors.As(err, &configuration):
		return exitUsage, &control.Error{Code: "configuration", Message: err.Error()}
	}
	e := control.ErrorOf(err)
	switch e.Code {
	case "blocked_by_dialog":
		return exitBlocked, e
	case "no_daemon", "disconnected", "browser_gone", "answer_unconfirmed":
		return exitUnreachable, e
	case "timeout", "deadline_exceeded":
		return exitTimeout, e
	case "bad_request", "bad_call", "bad_arguments", "dialog_type", "bad_token", "unknown_hook", "dialog_policy":
		return exitUsage, e
	}
	return exitFailed, e
}

// exitOf is the exit code of a tool that failed.
func exitOf(e toolresult.Failure) int {
	switch e.Kind() {
	case host.KindBlocked:
		return exitBlocked
	case host.KindTransport:
		return exitUnreachable
	case host.KindTimeout, host.KindDelivered:
		return exitTimeout
	case agent.KindBadArguments:
		return exitUsage
	}
	return exitFailed
}

// nextOf says what to type after an error, where that depends on the tool.
func nextOf(err error) []string {
	var failed toolresult.Failure
	if !errors.As(err, &failed) {
		return nil
	}
	return failed.Next()
}
