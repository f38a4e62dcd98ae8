// Package bench measures the host on a real browser. docs/benchmarks.md has the table and the command.
package bench
