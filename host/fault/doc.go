// Package fault has the codes of all errors, in one list, and the error types that need nothing but them. Compare
// errors with errors.Is or [CodeOf]; errors.As finds their details.
package fault
