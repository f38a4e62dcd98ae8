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

// ReportProgress tells whoever called a tool how far it is: done of total steps, 0 where nobody knows, and what was done last.
// The context is that which the tool was given; where nobody wants to know it does nothing.
func ReportProgress(ctx context.Context, done, total float64, note string) {
	if tell, ok := ctx.Value(progressKey{}).(func(done, total float64, note string)); ok {
		tell(done, total, note)
	}
}

func progress(ctx context.Context, done, total int, note string) {
	ReportProgress(ctx, float64(done), float64(total), note)
}
