// Package charts keeps one hour of what a daemon counts, as the live page draws it.
//
// The numbers are gathered from the registry of /metrics, so that both agree.
package charts
