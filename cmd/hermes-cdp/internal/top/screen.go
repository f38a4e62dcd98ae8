package top

import (
	"context"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"
)

// OnScreen shows on an initialised screen what look returns, at once and then periodically, until a person leaves, ctx
// ends, or look fails.
func OnScreen(ctx context.Context, screen tcell.Screen, every time.Duration, look func() (View, error)) error {
	events, quit := make(chan tcell.Event), make(chan struct{})
	go screen.ChannelEvents(events, quit)
	defer func() {
		close(quit)
		for range events { // until it has seen that
		}
	}()
	tick := time.NewTicker(every)
	defer tick.Stop()
	v, err := look()
	for top := 0; err == nil; {
		lines := v.Lines()
		_, height := screen.Size()
		top = max(0, min(top, len(lines)-(height-1)))
		draw(screen, lines[min(top, len(lines)):])
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			v, err = look()
		case event, ok := <-events:
			if !ok {
				return nil // the screen is gone
			}
			switch event := event.(type) {
			case *tcell.EventResize:
				screen.Sync()
			case *tcell.EventKey:
				step, leaves := keyOf(event, height-2)
				if leaves {
					return nil
				}
				top += step
			}
		}
	}
	return err
}

// keyOf says how many lines a key moves, and whether it leaves.
func keyOf(event *tcell.EventKey, page int) (step int, leaves bool) {
	switch event.Key() {
	case tcell.KeyUp:
		return -1, false
	case tcell.KeyDown:
		return 1, false
	case tcell.KeyPgUp:
		return -page, false
	case tcell.KeyPgDn:
		return page, false
	case tcell.KeyHome:
		return -1 << 30, false
	case tcell.KeyEnd:
		return 1 << 30, false
	case tcell.KeyEscape, tcell.KeyCtrlC, tcell.KeyCtrlD:
		return 0, true
	case tcell.KeyRune:
		switch event.Rune() {
		case 'q':
			return 0, true
		case 'k':
			return -1, false
		case 'j':
			return 1, false
		}
	}
	return 0, false
}

func draw(screen tcell.Screen, lines []Line) {
	screen.Clear()
	_, height := screen.Size()
	styles := map[Kind]tcell.Style{Plain: tcell.StyleDefault, Head: tcell.StyleDefault.Dim(true), Urgent: tcell.StyleDefault.Bold(true).Foreground(tcell.ColorRed)}
	for y, line := range lines[:min(len(lines), max(0, height-1))] {
		write(screen, y, line.Text, styles[line.Kind])
	}
	write(screen, height-1, "q leaves   arrows and pages move", tcell.StyleDefault.Reverse(true))
	screen.Show()
}

// write writes a line, as much of it as fits.
func write(screen tcell.Screen, y int, text string, style tcell.Style) {
	width, _ := screen.Size()
	x := 0
	for graphemes := uniseg.NewGraphemes(text); graphemes.Next(); {
		if x+graphemes.Width() > width {
			return
		}
		runes := graphemes.Runes()
		screen.SetContent(x, y, runes[0], runes[1:], style)
		x += graphemes.Width()
	}
}
