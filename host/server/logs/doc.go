// Package logs writes the log of a daemon: as text or JSON, with levels by package that can change, and without
// secrets.
package logs
