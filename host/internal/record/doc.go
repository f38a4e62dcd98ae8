// Package record follows what the tabs of a task show, for recordings and traces. The pictures bypass the state
// machines, of which it uses nothing but the snapshots.
package record
