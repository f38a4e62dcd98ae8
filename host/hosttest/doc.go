// Package hosttest helps to test with a real browser: it finds and starts one, gives a second client that speaks raw
// CDP, and fails the test when a process of the browser is left at its end.
package hosttest
