package toolkit

import "context"

type progressKey struct{}

// WithProgress returns a context whose calls report progress to tell, unless that is nil.
func WithProgress(ctx context.Context, tell func(done, total float64, note string)) context.Context {
	if tell == nil {
		return ctx
	}
	return context.WithValue(ctx, progressKey{}, tell)
}

// ReportProgress reports progress to the caller of a tool: done of total steps (0: unknown), and what was done last.
// ctx is the one that the tool was given. It does nothing if the caller did not ask for progress.
func ReportProgress(ctx context.Context, done, total float64, note string) {
	if tell, ok := ctx.Value(progressKey{}).(func(done, total float64, note string)); ok {
		tell(done, total, note)
	}
}

// Step is [ReportProgress] with whole steps.
func Step(ctx context.Context, done, total int, note string) {
	ReportProgress(ctx, float64(done), float64(total), note)
}
