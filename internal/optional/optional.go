// Package optional reads values that callers may leave out.
package optional

// Or returns what a pointer points to, or the zero value for nil.
func Or[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
