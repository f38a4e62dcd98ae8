package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Write writes a result: as JSON, else as lines.
func (a *App) Write(v any, lines ...string) error {
	if a.JSON {
		return a.WriteJSON(v)
	}
	return a.WriteLines(lines...)
}

// Shown writes what a call gave: as JSON, else as lines.
func Shown[T any](a *App, lines func(T) []string) func(T, error) error {
	return func(v T, err error) error {
		if err != nil {
			return err
		}
		return a.Write(v, lines(v)...)
	}
}

// ShownLine is Shown for one line.
func ShownLine[T any](a *App, line func(T) string) func(T, error) error {
	return Shown(a, func(v T) []string { return []string{line(v)} })
}

// WriteLines writes lines, whatever is asked for.
func (a *App) WriteLines(lines ...string) error {
	_, err := fmt.Fprintln(a.Stdout, strings.Join(lines, "\n"))
	return err
}

// WriteRows is write with a table in place of lines.
func (a *App) WriteRows(v any, rows [][]string) error {
	if a.JSON {
		return a.WriteJSON(v)
	}
	return a.WriteTable(rows)
}

// WriteJSON writes one value, indented.
func (a *App) WriteJSON(v any) error {
	encoder := json.NewEncoder(a.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// WriteJSONLine writes one value on one line, as a stream of them is made.
func (a *App) WriteJSONLine(v any) error { return WriteJSONLine(a.Stdout, v) }

// WriteTable writes rows in aligned columns. Much of what is shown comes from module files, which nobody vouches for.
func (a *App) WriteTable(rows [][]string) error {
	table := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for len(row) > 0 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = OneLine(cell)
		}
		if _, err := fmt.Fprintln(table, strings.Join(cells, "\t")); err != nil {
			return err
		}
	}
	return table.Flush()
}

// ErrorJSON is an error as JSON.
type ErrorJSON struct {
	Error *control.Error `json:"error"`
}

// WarningJSON is a warning as JSON.
type WarningJSON struct {
	Warning config.Warning `json:"warning"`
}

// PrintError writes an error on one line, a line for each dialog that it is about, and what to type next. There is
// nobody left to tell when standard error fails.
func (a *App) PrintError(e *control.Error, next ...string) {
	e.Message = OneLine(e.Message)
	if a.JSON {
		_ = WriteJSONLine(a.Stderr, ErrorJSON{e})
		return
	}
	_, _ = fmt.Fprintf(a.Stderr, "hermes-cdp: %s\n", e.Message)
	for _, d := range e.Dialogs {
		_, _ = fmt.Fprintf(a.Stderr, "  %s %s, the page says %s\n", d.ID, d.Type, PageText(d.Message))
	}
	if len(next) == 0 && e.CallID != "" {
		next = []string{"the result, once answered: hermes-cdp resume " + e.CallID}
	}
	for _, line := range next {
		_, _ = fmt.Fprintln(a.Stderr, "  "+line)
	}
}

// PrintWarning writes a warning about the configuration to standard error.
func (a *App) PrintWarning(warning config.Warning) {
	if a.JSON {
		_ = WriteJSONLine(a.Stderr, WarningJSON{warning})
		return
	}
	_, _ = fmt.Fprintf(a.Stderr, "hermes-cdp: warning: %s\n", OneLine(warning.String()))
}

// Warn writes a warning about something else to standard error.
func (a *App) Warn(text string) {
	if a.JSON {
		_ = WriteJSONLine(a.Stderr, map[string]any{"warning": map[string]string{"text": text}})
		return
	}
	_, _ = fmt.Fprintf(a.Stderr, "hermes-cdp: warning: %s\n", OneLine(text))
}

// WriteJSONLine writes one value on one line.
func WriteJSONLine(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// OneLine joins the lines of a text, and escapes what could steer a terminal.
func OneLine(text string) string { return pagetext.Line(text) }

// PageText shows what a page chose, in quotes: it cannot pretend to be ours, as it cannot leave them, and what could
// steer a terminal or turn the direction of writing is escaped.
func PageText(text string) string { return pagetext.Quote(text) }

// EscapeJSON makes JSON that holds a page's texts fit for a terminal, and leaves it the same JSON: an unprintable rune
// stands in JSON only within a text, but for the spaces between its tokens.
func EscapeJSON(text []byte) string {
	var out strings.Builder
	whole := string(text)
	for at, r := range whole {
		switch {
		case r == '\n' || !pagetext.Unprintable(r) || pagetext.Joins(whole, at):
			out.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// Moment is a time for a person at this machine.
func Moment(t time.Time) string { return t.Local().Format(time.DateTime) }

// Short is enough of a digest to tell modules apart in a table; --json has all of it.
func Short(digest string) string { return digest[:min(12, len(digest))] }
