// Package fault defines the errors of calls on a task. Compare them with errors.Is; errors.As finds their details.
package fault
