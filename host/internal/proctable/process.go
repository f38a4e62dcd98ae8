// Package proctable lists the processes of this machine, with what they use.
package proctable

import "time"

// Process is a process at one moment. What this user may not know is zero.
type Process struct {
	PID, Parent int
	// Mine says that it runs as this user.
	Mine bool
	// Command is its command line, with spaces between the arguments.
	Command string
	// Memory is its resident set in bytes. Pages that several processes share count in each.
	Memory int64
	// Started is when it began.
	Started time.Time
}

// Tree returns a process of a list, and all that descend from it.
func Tree(list []Process, root int) []Process {
	children := map[int][]int{}
	at := map[int]Process{}
	for _, p := range list {
		at[p.PID] = p
		if p.PID != p.Parent {
			children[p.Parent] = append(children[p.Parent], p.PID)
		}
	}
	if _, there := at[root]; !there {
		return nil
	}
	tree := []Process{at[root]}
	for i := 0; i < len(tree); i++ { // a parent begins before its child, so there are no circles
		for _, child := range children[tree[i].PID] {
			if child != root {
				tree = append(tree, at[child])
			}
		}
		if len(tree) > len(list) { // the list was not of one moment
			break
		}
	}
	return tree
}
