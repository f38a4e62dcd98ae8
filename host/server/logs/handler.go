package logs

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// NewHandler writes lines as text, or as JSON, of what levels admit. What may hold a secret is redacted by its type:
// addresses, errors, headers, and [secret.Text] wherever it is.
func NewHandler(w io.Writer, asJSON bool, levels *Levels) slog.Handler {
	o := &slog.HandlerOptions{Level: slog.Level(-1 << 20), ReplaceAttr: redact} // levels decide
	if asJSON {
		return handler{slog.NewJSONHandler(w, o), levels}
	}
	return handler{slog.NewTextHandler(w, o), levels}
}

type handler struct {
	next   slog.Handler
	levels *Levels
}

// Enabled implements [slog.Handler]. Which package logs is known only with a record.
func (h handler) Enabled(_ context.Context, level slog.Level) bool { return h.levels.enabled(level) }

// Handle implements [slog.Handler].
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	if !h.levels.admits(r.Level, r.PC) {
		return nil
	}
	return h.next.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.next.WithAttrs(attrs), h.levels}
}

// WithGroup implements [slog.Handler].
func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.next.WithGroup(name), h.levels}
}

func redact(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() != slog.KindAny {
		return a
	}
	switch v := a.Value.Any().(type) {
	case error:
		a.Value = slog.StringValue(secret.URLs(v.Error()))
	case *url.URL:
		if v != nil {
			a.Value = slog.StringValue(secret.Address(v.String()))
		}
	case url.URL:
		a.Value = slog.StringValue(secret.Address(v.String()))
	case *url.Userinfo, []*http.Cookie, *http.Cookie, http.Cookie:
		a.Value = slog.StringValue(secret.Redacted)
	case http.Header:
		a.Value = slog.StringValue(strings.Join(slices.Sorted(maps.Keys(v)), ","))
	case *http.Request:
		if v != nil && v.URL != nil {
			a.Value = slog.StringValue(v.Method + " " + secret.Address(v.URL.String()))
		}
	case []byte:
		a.Value = slog.StringValue(secret.Redacted)
	}
	return a
}
