// Package rawcdp sends the raw CDP commands of agents, as far as they act only on what belongs to the task of the
// agent.
package rawcdp
