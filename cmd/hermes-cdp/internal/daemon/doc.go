// Package daemon keeps a host running and lets commands in: it is what `hermes-cdp run` does.
package daemon
