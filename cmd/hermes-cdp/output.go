package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// write writes a result: as JSON, else as lines.
func (a *app) write(v any, lines ...string) error {
	if a.json {
		return a.writeJSON(v)
	}
	return a.writeLines(lines...)
}

// shown writes what a call gave: as JSON, else as lines.
func shown[T any](a *app, lines func(T) []string) func(T, error) error {
	return func(v T, err error) error {
		if err != nil {
			return err
		}
		return a.write(v, lines(v)...)
	}
}

// shownLine is shown for one line.
func shownLine[T any](a *app, line func(T) string) func(T, error) error {
	return shown(a, func(v T) []string { return []string{line(v)} })
}

func (a *app) writeLines(lines ...string) error {
	_, err := fmt.Fprintln(a.stdout, strings.Join(lines, "\n"))
	return err
}

// writeRows is write with a table in place of lines.
func (a *app) writeRows(v any, rows [][]string) error {
	if a.json {
		return a.writeJSON(v)
	}
	return a.writeTable(rows)
}

// writeJSON writes one value, indented.
func (a *app) writeJSON(v any) error {
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// writeJSONLine writes one value on one line, as a stream of them is made.
func (a *app) writeJSONLine(v any) error { return writeJSONLine(a.stdout, v) }

// writeTable writes rows in aligned columns. Much of what is shown comes from module files, which nobody vouches for.
func (a *app) writeTable(rows [][]string) error {
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for len(row) > 0 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = oneLine(cell)
		}
		if _, err := fmt.Fprintln(table, strings.Join(cells, "\t")); err != nil {
			return err
		}
	}
	return table.Flush()
}

type errorJSON struct {
	Error *control.Error `json:"error"`
}

type warningJSON struct {
	Warning config.Warning `json:"warning"`
}

// printError writes an error on one line, a line for each dialog that it is about, and what to type next. There is
// nobody left to tell when standard error fails.
func (a *app) printError(e *control.Error, next ...string) {
	e.Message = oneLine(e.Message)
	if a.json {
		_ = writeJSONLine(a.stderr, errorJSON{e})
		return
	}
	_, _ = fmt.Fprintf(a.stderr, "hermes-cdp: %s\n", e.Message)
	for _, d := range e.Dialogs {
		_, _ = fmt.Fprintf(a.stderr, "  %s %s, the page says %s\n", d.ID, d.Type, pageText(d.Message))
	}
	if len(next) == 0 && e.CallID != "" {
		next = []string{"the result, once answered: hermes-cdp resume " + e.CallID}
	}
	for _, line := range next {
		_, _ = fmt.Fprintln(a.stderr, "  "+line)
	}
}

func (a *app) printWarning(warning config.Warning) {
	if a.json {
		_ = writeJSONLine(a.stderr, warningJSON{warning})
		return
	}
	_, _ = fmt.Fprintf(a.stderr, "hermes-cdp: warning: %s\n", oneLine(warning.String()))
}

func writeJSONLine(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// oneLine joins the lines of a text, and escapes what could steer a terminal.
func oneLine(text string) string { return pagetext.Line(text) }

// pageText shows what a page chose, in quotes: it cannot pretend to be ours, as it cannot leave them, and what could
// steer a terminal or turn the direction of writing is escaped.
func pageText(text string) string { return pagetext.Quote(text) }

// escapeJSON makes JSON that holds a page's texts fit for a terminal, and leaves it the same JSON: an unprintable rune
// stands in JSON only within a text, but for the spaces between its tokens.
func escapeJSON(text []byte) string {
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
