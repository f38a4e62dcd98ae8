// Package top shows a daemon in a terminal: its tasks, those that wait for a person first, browsers and plugins.
package top

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// View is a daemon at one moment.
type View struct {
	At      time.Time   `json:"at"`
	Version string      `json:"version"`
	Uptime  float64     `json:"uptime_s"`
	Tasks   []TaskRow   `json:"tasks"`
	Browser []Browser   `json:"browsers"`
	Plugins []PluginRow `json:"plugins"`
	// Problems say what is not as it is configured.
	Problems []string `json:"problems,omitempty"`
}

// TaskRow is one task. State and URL have untrusted text.
type TaskRow struct {
	Task    string  `json:"task"`
	Agent   string  `json:"agent,omitempty"`
	State   string  `json:"state"`
	Dialogs int     `json:"pending_dialogs"`
	Age     float64 `json:"age_s"`
	Idle    float64 `json:"idle_s"` // 0: a call works on it
	URL     string  `json:"url"`
	// Waits is how urgently it waits for a person; 0: it does not.
	Waits int `json:"waits,omitempty"`
}

// Browser is one browser of the daemon.
type Browser struct {
	Browser string   `json:"browser"`
	Tasks   []string `json:"tasks"`
	Memory  int64    `json:"memory_bytes,omitempty"`
	Process int      `json:"processes,omitempty"`
}

// PluginRow is one plugin, with what it did per second since the status before.
type PluginRow struct {
	Plugin     string        `json:"plugin"`
	Generation int           `json:"generation"`
	Calls      uint64        `json:"calls"`
	PerSecond  float64       `json:"calls_per_second"`
	Mean       time.Duration `json:"mean_ns"` // of these calls
	Faults     uint64        `json:"faults"`
	State      string        `json:"state"`
}

// New makes a view of two statuses; browsers are those of the second with what their processes take. With one status
// alone, nothing is per second.
func New(before, now control.Status, apart time.Duration, browsers []host.BrowserInfo, at time.Time) View {
	v := View{At: at, Version: now.Daemon.Version, Uptime: now.Daemon.Uptime.Seconds(), Problems: now.Deviations(), Tasks: []TaskRow{}, Browser: []Browser{}, Plugins: []PluginRow{}}
	for _, t := range now.Tasks {
		v.Tasks = append(v.Tasks, taskRow(t, at))
	}
	slices.SortStableFunc(v.Tasks, func(a, b TaskRow) int {
		return cmp.Or(cmp.Compare(b.Waits, a.Waits), strings.Compare(a.Task, b.Task))
	})
	for _, b := range browsers {
		row := Browser{Browser: browserName(b), Tasks: []string{}, Memory: b.Memory, Process: b.Processes}
		for _, t := range b.Tasks {
			row.Tasks = append(row.Tasks, t.ID)
		}
		v.Browser = append(v.Browser, row)
	}
	for _, p := range now.Plugins {
		was, is := before.Counters.Plugins[p.Name], now.Counters.Plugins[p.Name]
		row := PluginRow{Plugin: p.Name, Generation: p.Generation, Calls: is.Calls, State: cmp.Or(p.Outage, p.State)}
		for _, n := range is.Faults {
			row.Faults += n
		}
		if calls := is.Calls - was.Calls; apart > 0 && calls > 0 && is.Calls > was.Calls {
			row.PerSecond = float64(calls) / apart.Seconds()
			row.Mean = (is.TotalTime - was.TotalTime) / time.Duration(calls)
		}
		v.Plugins = append(v.Plugins, row)
	}
	return v
}

func taskRow(t control.TaskStatus, at time.Time) TaskRow {
	row := TaskRow{Task: t.ID, Agent: t.Agent, Dialogs: t.PendingDialogs, Age: at.Sub(t.Began.Time).Seconds(), URL: t.URL}
	if !t.IdleSince.IsZero() {
		row.Idle = max(0, at.Sub(t.IdleSince.Time).Seconds())
	}
	// As on the live page.
	switch {
	case t.Disconnected != "":
		row.State = "disconnected: " + t.Disconnected
	case t.Held != nil:
		row.State = "held by a person"
	case len(t.Questions) > 0:
		row.State = "asks a person"
	case t.PendingDialogs > 0:
		row.State = "waits for an answer"
	case t.IdleSince.IsZero():
		row.State = "working"
	default:
		row.State = "idle"
	}
	if len(t.Questions) > 0 {
		row.Waits += 4
	}
	if t.PendingDialogs > 0 {
		row.Waits += 2
	}
	if t.Held != nil || t.Disconnected != "" {
		row.Waits++
	}
	return row
}

func browserName(b host.BrowserInfo) string {
	switch {
	case b.Provider != "":
		return "rented from " + b.Provider
	case b.Address != "":
		return b.Address
	case b.PID != 0:
		return fmt.Sprintf("process %d", b.PID)
	}
	return "browser"
}

// Kind is how a line is shown.
type Kind int

// The kinds of lines.
const (
	Plain  Kind = iota
	Head        // names of columns
	Urgent      // it waits for a person, or fails
)

// Line is one line of a view, fit for a terminal.
type Line struct {
	Text string
	Kind Kind
}

// Lines are the view as text.
func (v View) Lines() []Line {
	waiting := 0
	tasks := [][]string{{"TASK", "AGENT", "STATE", "DIALOGS", "AGE", "IDLE", "PAGE"}}
	kinds := []Kind{Head}
	for _, t := range v.Tasks {
		kind := Plain
		if t.Waits > 0 {
			waiting++
			kind = Urgent
		}
		dialogs, idle := "-", "-"
		if t.Dialogs > 0 {
			dialogs = fmt.Sprint(t.Dialogs)
		}
		if t.Idle > 0 {
			idle = seconds(t.Idle)
		}
		tasks, kinds = append(tasks, []string{t.Task, cmp.Or(t.Agent, "-"), t.State, dialogs, seconds(t.Age), idle, pagetext.Quote(t.URL)}), append(kinds, kind)
	}
	head := fmt.Sprintf("hermes-cdp %s, up %s; tasks: %d, waiting for a person: %d; browsers: %d", v.Version, seconds(v.Uptime), len(v.Tasks), waiting, len(v.Browser))
	lines := []Line{{pagetext.Line(head), Plain}}
	for _, problem := range v.Problems {
		lines = append(lines, Line{pagetext.Line("! " + problem), Urgent})
	}
	lines = append(append(lines, Line{}), table(tasks, kinds)...)

	browsers, kinds := [][]string{{"BROWSER", "TASKS", "MEMORY", "PROCESSES"}}, []Kind{Head}
	for _, b := range v.Browser {
		memory, processes := "-", "-"
		if b.Memory > 0 {
			memory = fmt.Sprintf("%d MiB", b.Memory>>20)
		}
		if b.Process > 0 {
			processes = fmt.Sprint(b.Process)
		}
		browsers, kinds = append(browsers, []string{b.Browser, cmp.Or(strings.Join(b.Tasks, ", "), "-"), memory, processes}), append(kinds, Plain)
	}
	lines = append(append(lines, Line{}), table(browsers, kinds)...)

	plugins, kinds := [][]string{{"PLUGIN", "GENERATION", "CALLS", "PER SECOND", "MEAN", "FAULTS", "STATE"}}, []Kind{Head}
	for _, p := range v.Plugins {
		kind, mean := Plain, "-"
		if p.Faults > 0 || p.State != "serving" {
			kind = Urgent
		}
		if p.Mean > 0 {
			mean = p.Mean.Round(10 * time.Microsecond).String()
		}
		plugins = append(plugins, []string{p.Plugin, fmt.Sprint(p.Generation), fmt.Sprint(p.Calls), fmt.Sprintf("%.1f", p.PerSecond), mean, fmt.Sprint(p.Faults), p.State})
		kinds = append(kinds, kind)
	}
	return append(append(lines, Line{}), table(plugins, kinds)...)
}

func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Second).String()
}

// table aligns rows, of which each has a kind.
func table(rows [][]string, kinds []Kind) []Line {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = pagetext.Line(cell)
		}
		_, _ = fmt.Fprintln(w, strings.Join(row, "\t")) // a builder takes everything
	}
	_ = w.Flush()
	var lines []Line
	for i, text := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		lines = append(lines, Line{strings.TrimRight(text, " "), kinds[i]})
	}
	return lines
}
