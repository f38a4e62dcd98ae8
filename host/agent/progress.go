package agent

import "context"

type progressKey struct{}

// withProgress has a function told how far a call is; nil: nobody is.
func withProgress(ctx context.Context, tell func(done, total float64, note string)) context.Context {
	if tell == nil {
		return ctx
	}
	return context.WithValue(ctx, progressKey{}, tell)
}

// WithProgress has a function told how far a long call under the context is, from the goroutine of the call: done of total
// steps, and what was done last.
func WithProgress(ctx context.Context, tell func(done, total float64, note string)) context.Context {
	return withProgress(ctx, tell)
}

func progress(ctx context.Context, done, total int, note string) {
	if tell, ok := ctx.Value(progressKey{}).(func(done, total float64, note string)); ok {
		tell(float64(done), float64(total), note)
	}
}
