package host

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// stir is called before input. It takes the turn of the frame that the input is for, so that no script of another operation
// is sent there meanwhile: what has to be ended later is then what the input set off.
func (d *tabDriver) stir() error {
	s := &d.op.stirring
	if s.turn {
		return nil
	}
	place, err := d.op.locate(supervise.Where{Target: d.tab, Frame: d.on})
	if err == nil {
		err = d.op.takeTurn(&place)
	}
	switch {
	case err == nil:
		s.turn = true
	case d.Gone(err): // the first input of several took the frame away; the next ones go to what is there instead
	default:
		return err
	}
	if !s.has() {
		d.meetOthers()
		s.mu.Lock()
		s.begun = true
		s.mu.Unlock()
	}
	return nil
}

// meetOthers asks the other main threads of the tab for a word, as handlers may run there, too: of what loses the focus, or
// of what has it where no element is named. It is then waited for a moment.
func (d *tabDriver) meetOthers() {
	asked := map[string]bool{}
	for _, at := range d.op.stirring.places() {
		asked[string(at.Session)] = true
	}
	ctx, cancel := context.WithTimeout(d.op.ctx, startTimeout)
	var all sync.WaitGroup
	for _, f := range d.Frames() {
		if f.Session == "" || asked[f.Session] {
			continue
		}
		asked[f.Session] = true
		place := supervise.Place{Page: d.tab, Session: target.SessionID(f.Session), Frame: f.ID}
		all.Go(func() {
			if answered(d.op.task.link.command(ctx, place.Session, pageFence.method, nil, nil)) {
				d.op.stirring.answer(place)
			}
		})
	}
	if d.on == "" {
		all.Wait()
		cancel()
		return
	}
	d.op.task.operations.wait.Go(func() {
		all.Wait()
		cancel()
	})
}

// meet makes sure that the main thread of a tab answers, before anything else is asked of it.
func (d *tabDriver) meet() error {
	place, err := d.op.locate(supervise.Where{Target: d.tab})
	if err != nil {
		return err
	}
	defer d.op.settleTurn()
	return d.op.takeTurnWithin(&place, 0)
}
