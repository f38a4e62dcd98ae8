package doctor

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
)

// checkConfig gives one check for each problem and warning, or one that all is well.
func checkConfig(o Options) []Check {
	const name = "configuration"
	var checks []Check
	var all *config.Error
	switch {
	case errors.As(o.ConfigError, &all):
		for _, problem := range all.Problems {
			checks = append(checks, fail(name, problem.Error(), "correct it where it is given; docs/configuration.md lists every key"))
		}
	case o.ConfigError != nil:
		checks = append(checks, fail(name, o.ConfigError.Error(), "correct it where it is given"))
	case o.Report != nil && o.Report.File != "":
		checks = append(checks, ok(name, o.Report.File))
	default:
		checks = append(checks, ok(name, "no file; defaults and environment"))
	}
	if o.Report != nil {
		for _, warning := range o.Report.Warnings {
			checks = append(checks, warn(name, warning.String(), warningFix(warning)))
		}
	}
	return checks
}

func warningFix(w config.Warning) string {
	if w.Suggestion != "" {
		return "rename it to " + w.Suggestion + ", or remove it"
	}
	return "remove it, or name what was meant"
}
