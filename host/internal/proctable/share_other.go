//go:build !linux

package proctable

// Share is the resident set: the system does not say what of it is shared.
func (p Process) Share() int64 { return p.Memory }
