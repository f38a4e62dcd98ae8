package toolpick

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"
)

// OnScreen lets a person choose on a screen that was initialised, until they save, cancel, or ctx ends. The screen
// stays the caller's. It tells whether what is chosen is to be written; a choice without any tool cannot be saved.
func OnScreen(ctx context.Context, screen tcell.Screen, s *State) bool {
	p := &picker{screen: screen, state: s, rows: rowsOf(s)}
	stop := context.AfterFunc(ctx, func() { _ = screen.PostEvent(tcell.NewEventInterrupt(nil)) })
	defer stop()
	for !p.done && ctx.Err() == nil {
		p.draw()
		p.handle(screen.PollEvent())
	}
	return p.save
}

// row is one that can be chosen: a toolset, or a tool.
type row struct {
	set  *Set
	tool *Tool
}

func rowsOf(s *State) []row {
	var rows []row
	for _, it := range s.Sets() {
		rows = append(rows, row{set: &it})
	}
	for _, t := range s.Tools() {
		rows = append(rows, row{tool: &t})
	}
	return rows
}

// picker is the screen: rows of which a part is seen, and below them more about the one at the cursor.
type picker struct {
	screen     tcell.Screen
	state      *State
	rows       []row
	at, top    int
	message    string
	done, save bool
}

func (p *picker) handle(event tcell.Event) {
	switch event := event.(type) {
	case nil: // the screen is gone
		p.done = true
	case *tcell.EventResize:
		p.screen.Sync()
	case *tcell.EventKey:
		p.message = ""
		p.key(event)
	}
}

func (p *picker) key(event *tcell.EventKey) {
	switch event.Key() {
	case tcell.KeyUp, tcell.KeyCtrlP:
		p.move(-1)
	case tcell.KeyDown, tcell.KeyCtrlN:
		p.move(1)
	case tcell.KeyPgUp:
		p.move(-p.height())
	case tcell.KeyPgDn:
		p.move(p.height())
	case tcell.KeyHome:
		p.move(-len(p.rows))
	case tcell.KeyEnd:
		p.move(len(p.rows))
	case tcell.KeyEnter:
		p.finish()
	case tcell.KeyEscape, tcell.KeyCtrlC, tcell.KeyCtrlD:
		p.done = true
	case tcell.KeyRune:
		p.rune(event.Rune())
	}
}

func (p *picker) rune(r rune) {
	switch r {
	case 'k':
		p.move(-1)
	case 'j':
		p.move(1)
	case ' ', 'x':
		p.toggle()
	case 's':
		p.finish()
	case 'q':
		p.done = true
	}
}

func (p *picker) move(by int) { p.at = max(0, min(p.at+by, len(p.rows)-1)) }

func (p *picker) toggle() {
	if p.at >= len(p.rows) {
		return
	}
	if r := p.rows[p.at]; r.set != nil {
		p.state.SwitchSet(r.set.Name)
	} else {
		p.state.SwitchTool(r.tool.Name)
	}
}

func (p *picker) finish() {
	if _, err := p.state.Choice(); err != nil {
		p.message = err.Error()
		return
	}
	p.done, p.save = true, true
}

// The lines beside the rows: the title with one that is empty, and below them one that is empty, two about the row, and
// the keys.
const (
	linesAbove = 2
	linesBelow = 4
)

// height is how many rows are seen.
func (p *picker) height() int {
	_, height := p.screen.Size()
	return max(1, height-linesAbove-linesBelow)
}

func (p *picker) draw() {
	p.screen.Clear()
	height := p.height()
	p.top = max(0, min(p.top, p.at, len(p.rows)-height), p.at-height+1) // no room is left empty below
	plain, dim := tcell.StyleDefault, tcell.StyleDefault.Dim(true)
	p.line(0, "Tools for agents: [x] on, [ ] off, [~] some of a toolset", plain.Bold(true))
	for i := range height {
		if p.top+i >= len(p.rows) {
			break
		}
		style, mark := plain, "  "
		if p.top+i == p.at {
			style, mark = plain.Reverse(true), "> "
		}
		p.line(linesAbove+i, mark+rowText(p.state, p.rows[p.top+i], nameWidth(p.rows)), style)
	}
	below := linesAbove + height + 1
	if p.at < len(p.rows) {
		for i, text := range about(p.state, p.rows[p.at]) {
			p.line(below+i, text, dim)
		}
	}
	keys := "space switches   enter saves   q leaves it as it was   arrows move"
	if p.message != "" {
		keys = p.message
	}
	p.line(below+2, keys, plain.Bold(true))
	p.screen.Show()
}

// line writes a line of the screen, as much of it as fits.
func (p *picker) line(y int, text string, style tcell.Style) {
	width, _ := p.screen.Size()
	x := 0
	for graphemes := uniseg.NewGraphemes(text); graphemes.Next(); {
		if x+graphemes.Width() > width {
			return
		}
		runes := graphemes.Runes()
		p.screen.SetContent(x, y, runes[0], runes[1:], style)
		x += graphemes.Width()
	}
}

func nameWidth(rows []row) int {
	width := 0
	for _, r := range rows {
		width = max(width, len(r.name()))
	}
	return min(width, 40)
}

func (r row) name() string {
	if r.set != nil {
		return r.set.Name
	}
	return r.tool.Name
}

// rowText is a row: its state, name, where it comes from, and what it is.
func rowText(s *State, r row, width int) string {
	if r.tool != nil {
		return fmt.Sprintf("%s %-*s  %-12s  %s", mark(s.On(r.tool.Name), false), width, r.tool.Name, r.tool.Source, r.tool.Description)
	}
	on, all := s.Count(r.set.Name)
	count := fmt.Sprintf("%d of %d", on, all)
	return strings.TrimRight(fmt.Sprintf("%s %-*s  %-12s  %s", mark(s.Full(r.set.Name), on > 0), width, r.set.Name, count, r.set.About), " ")
}

func mark(on, some bool) string {
	switch {
	case on:
		return "[x]"
	case some:
		return "[~]"
	}
	return "[ ]"
}

// about says more of a row, in two lines.
func about(s *State, r row) []string {
	if r.tool != nil {
		return []string{r.tool.Description, r.tool.Name + ", from " + r.tool.Source + ": " + s.Why(*r.tool)}
	}
	members := s.Members(r.set.Name)
	slices.Sort(members)
	text := "it has no tools now"
	if len(members) > 0 {
		text = strings.Join(members, " ")
	}
	return []string{"the toolset " + r.set.Name + ", " + r.set.About, text}
}
