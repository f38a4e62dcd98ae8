// Package e2e holds the end-to-end tests of the host on a real Chromium. It has no code of its own.
package e2e
