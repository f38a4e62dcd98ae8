package lifecycle

import (
	"context"
	"log/slog"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// veiledHandler masks secrets in the log output of a module and in log messages about its faults.
type veiledHandler struct {
	slog.Handler
	veil journal.Veil
}

// moduleLog is the logger of a module. The configuration of tasks is not known here.
func (e *Engine) moduleLog(m *member, a attempt, r recipe, line *entry) *slog.Logger {
	var h slog.Handler = listener{e.log.Handler(), m, line.Number, a.phase}
	if len(r.encoded) > 0 {
		h = veiledHandler{h, e.options.Masker.Veil(journal.Entry{Config: r.encoded})}
	}
	return slog.New(h)
}

// Handle implements [slog.Handler].
func (h veiledHandler) Handle(ctx context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		if a.Value.Kind() == slog.KindString {
			a.Value = slog.StringValue(h.veil.Text(a.Value.String()))
		}
		out.AddAttrs(a)
		return true
	})
	return h.Handler.Handle(ctx, out)
}

// WithAttrs implements [slog.Handler]. Attributes of loggers come from the host.
func (h veiledHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return veiledHandler{h.Handler.WithAttrs(attrs), h.veil}
}

// WithGroup implements [slog.Handler].
func (h veiledHandler) WithGroup(name string) slog.Handler {
	return veiledHandler{h.Handler.WithGroup(name), h.veil}
}
