package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/hermes-cdp/hermes-cdp/host/config"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

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

// printError writes an error on one line, and a line for each dialog that it is about. There is nobody left to tell when
// standard error fails.
func (a *app) printError(e *control.Error) {
	e.Message = oneLine(e.Message)
	if a.json {
		_ = writeJSONLine(a.stderr, errorJSON{e})
		return
	}
	_, _ = fmt.Fprintf(a.stderr, "hermes-cdp: %s\n", e.Message)
	for _, d := range e.Dialogs {
		_, _ = fmt.Fprintf(a.stderr, "  %s %s, the page says %s\n", d.ID, d.Type, pageText(d.Message))
	}
	if e.CallID != "" {
		_, _ = fmt.Fprintf(a.stderr, "  the result, once answered: hermes-cdp resume %s\n", e.CallID)
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
