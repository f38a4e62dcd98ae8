// Package fault has the errors that calls on a task end with. Callers compare with errors.Is; errors.As finds the details.
package fault
