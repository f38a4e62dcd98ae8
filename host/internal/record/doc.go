// Package record records what the tabs of a task show. It takes the pictures past the state machines, and looks at nothing
// else that they have but snapshots.
package record
