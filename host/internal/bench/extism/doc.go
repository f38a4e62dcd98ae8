// Package extism compares a hook call with one of Extism's Go SDK (https://extism.org): the same policy, compiled by
// the same TinyGo, on the same wazero, in one run. `make bench-extism` builds the guests and runs it.
package extism
