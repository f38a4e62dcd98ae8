// Package bench measures the host with a real browser. docs/benchmarks.md has the results and the command.
package bench
