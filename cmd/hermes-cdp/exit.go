package main

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/host/config"
)

// The exit codes of the command.
const (
	exitOK     = 0 // it worked
	exitFailed = 1 // it failed, or a check did
	exitUsage  = 2 // the command line or the configuration is wrong; nothing was done
)

// usageError is a command line that is wrong.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// classify returns the exit code and the code in JSON of an error.
func classify(err error) (exit int, code string) {
	var usage usageError
	var configuration *config.Error
	switch {
	case errors.As(err, &usage):
		return exitUsage, "usage"
	case errors.As(err, &configuration):
		return exitUsage, "configuration"
	default:
		return exitFailed, "failed"
	}
}
