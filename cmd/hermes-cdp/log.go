package main

import (
	"log/slog"

	"github.com/hermes-cdp/hermes-cdp/host/config"
)

// logger writes to stderr what the configuration wants to hear.
func (a *app) logger(c config.Log) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.Level)) // validated with the configuration
	return a.loggerAt(c, level)
}

// loggerAt is logger with a level that may change.
func (a *app) loggerAt(c config.Log, level slog.Leveler) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(a.stderr, options))
	}
	return slog.New(slog.NewTextHandler(a.stderr, options))
}
