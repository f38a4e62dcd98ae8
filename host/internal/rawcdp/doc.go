// Package rawcdp sends the commands of agents that name the protocol's own methods, as far as they act on nothing but what
// belongs to their task.
package rawcdp
