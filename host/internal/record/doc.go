// Package record records what the tabs of a task show. The pictures bypass the state machines, of which it uses nothing
// but the snapshots.
package record
