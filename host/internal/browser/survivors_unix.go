//go:build unix && !linux

package browser

import "syscall"

// survivors returns the id of the leader while its process group has members. There is no portable list of them.
func survivors(group int, _ string) []int {
	if syscall.Kill(-group, 0) == nil {
		return []int{group}
	}
	return nil
}
