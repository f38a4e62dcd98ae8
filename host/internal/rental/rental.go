// Package rental rents browsers from services: it records each session, keeps it as long as it is wanted, and releases
// it, also after a crash.
package rental

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/lease"
	"github.com/hermes-cdp/hermes-cdp/host/provider"
)

// Options say with what browsers are rented.
type Options struct {
	Logger         *slog.Logger
	Journal        string              // the directory; empty: none
	Providers      []provider.Provider // release what a crash has left
	ConnectTimeout time.Duration
	Group          *engine.Group
}

// Rentals are the rented browsers of a host.
type Rentals struct {
	options Options
	log     *slog.Logger
	journal *lease.Journal
	running context.Context // ends when the host is being closed
	work    sync.WaitGroup  // tends sessions, and releases those of hosts that were killed
}

// New returns the rentals of a host, and begins to release what killed hosts have left.
func New(running context.Context, o Options) *Rentals {
	r := &Rentals{options: o, log: o.Logger, journal: lease.New(o.Journal), running: running}
	r.work.Go(r.releaseAbandoned)
	return r
}

// Wait waits until all sessions are released.
func (r *Rentals) Wait() { r.work.Wait() }

// Close closes the record of sessions.
func (r *Rentals) Close() error { return r.journal.Close() }

// Rent rents a browser and opens the connection to it. notice gets what there is to know about it.
func (r *Rentals) Rent(ctx context.Context, task string, from provider.Provider, request provider.Request, notice func(string)) (*Browser, error) {
	b, err := r.create(ctx, task, from, request)
	if err != nil {
		return nil, err
	}
	b.notice = notice
	connect, cancel := context.WithTimeout(ctx, r.options.ConnectTimeout)
	defer cancel()
	if err := b.open(connect); err != nil {
		return nil, errors.Join(err, b.Release())
	}
	session := b.Session()
	r.log.Info("a browser was rented", "task", task, "provider", from.Name(), "session", session, "expires_at", session.ExpiresAt)
	for _, note := range session.Notes {
		notice(note)
	}
	r.work.Go(b.tend)
	return b, nil
}

// create asks for a browser. If ctx ends first, the request goes on, and a session that it still gets is released: one
// that is cut off may leave a session whose id nobody knows.
func (r *Rentals) create(ctx context.Context, task string, from provider.Provider, request provider.Request) (*Browser, error) {
	type answer struct {
		browser *Browser
		err     error
	}
	answers := make(chan answer)
	r.work.Go(func() {
		asking, cancel := r.serviceContext(provider.CreateTimeout)
		defer cancel()
		session, err := from.Create(asking, request)
		b := &Browser{Provider: from, At: time.Now(), of: r, task: task, session: session}
		b.ctx, b.stop = context.WithCancel(context.Background())
		if err == nil {
			err = b.keep()
		}
		select {
		case answers <- answer{b, err}:
		case <-ctx.Done():
			if err == nil {
				_ = b.Release() // it is logged
			}
		}
	})
	select {
	case a := <-answers:
		return a.browser, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Browser is a rented browser until it is released.
type Browser struct {
	Provider provider.Provider
	At       time.Time // when it was rented
	Link     *engine.Link
	Address  string // resolved

	of     *Rentals
	task   string
	notice func(string)

	mu      sync.Mutex
	session provider.Session

	ctx    context.Context // canceled when the release begins
	stop   context.CancelFunc
	ending sync.Once
	err    error // of the release
}

// Session is what the provider last said about it.
func (b *Browser) Session() provider.Session {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.session
}

func (b *Browser) record() lease.Lease {
	return lease.Lease{Provider: b.Provider.Name(), ID: b.Session().ID, At: b.At.UTC()}
}

// keep records the lease. A session that cannot be recorded is released.
func (b *Browser) keep() error {
	err := b.of.journal.Add(b.record())
	if err == nil {
		return nil
	}
	return errors.Join(fmt.Errorf("%w: the session cannot be recorded, so that nobody could release it after a crash: %w", fault.ErrProvider, err), b.Release())
}

// open opens the connection.
func (b *Browser) open(ctx context.Context) (err error) {
	if b.Address, err = cdp.Resolve(ctx, b.Session().Endpoint, nil); err != nil {
		return err
	}
	b.Link, err = b.of.options.Group.AttachRented(ctx, b.Address, b.renew)
	return err
}

// renew returns the endpoint to connect to after a loss.
func (b *Browser) renew(ctx context.Context) (string, error) {
	s, err := b.update(ctx, b.Provider.Renew)
	return s.Endpoint, err
}

// update takes over what the provider says about the session.
func (b *Browser) update(ctx context.Context, ask func(context.Context, provider.Session) (provider.Session, error)) (provider.Session, error) {
	ctx, cancel := context.WithTimeout(ctx, provider.ReleaseTimeout)
	defer cancel()
	s, err := ask(ctx, b.Session())
	if err != nil {
		return s, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.session = s
	return s, nil
}

// noticeAhead is how long before the end of a session it is put off or announced; at most it is a quarter of what is
// left.
const noticeAhead = time.Minute

// tend puts off the end of the session as long as the service does that, then announces it, and ends the task with it.
// It releases the session once its connection is gone for good.
func (b *Browser) tend() {
	for {
		end := b.Session().ExpiresAt
		left := time.Until(end)
		if !b.wait(end, left-min(noticeAhead, left/4)) {
			return
		}
		if now, _ := b.update(b.ctx, b.Provider.KeepAlive); now.ExpiresAt.After(end) {
			b.of.log.Info("the session of a rented browser was extended", "task", b.task, "expires_at", now.ExpiresAt)
			continue
		}
		b.notice(fmt.Sprintf("the rented browser ends at %s, in %v, and what is in it is then lost: finish what needs it",
			end.UTC().Format(time.TimeOnly+" UTC"), max(time.Until(end), 0).Round(time.Second)))
		if !b.wait(end, time.Until(end)+endGrace) {
			return
		}
		switch now, err := b.update(b.ctx, b.Provider.Renew); {
		case errors.Is(err, fault.ErrProviderSessionExpired):
			b.Link.GiveUp(err)
		case now.ExpiresAt.After(end):
			continue
		}
		b.wait(time.Time{}, 0) // it goes on as long as its connection
		return
	}
}

// endGrace is how long after its end a session is asked about: services round that, and clocks differ.
const endGrace = time.Second

// wait waits for some time, if the end of the session is known, else without a limit. It is false if the session is
// released first, which it does itself if the connection has ended.
func (b *Browser) wait(end time.Time, d time.Duration) bool {
	var due <-chan time.Time
	if !end.IsZero() {
		timer := time.NewTimer(d)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-due:
		return true
	case <-b.Link.Ended():
		_ = b.Release() // it is logged
	case <-b.ctx.Done():
	}
	return false
}

// Release ends the session, once, and waits for that. If it fails, the next host tries again.
func (b *Browser) Release() error {
	b.ending.Do(func() {
		b.stop()
		b.err = b.of.releaseLease(b.Provider, b.record())
		if b.err == nil {
			b.err = b.of.journal.Remove(b.record())
		}
	})
	return b.err
}

// releaseLease ends a session at its service.
func (r *Rentals) releaseLease(p provider.Provider, l lease.Lease) error {
	ctx, cancel := r.serviceContext(provider.ReleaseTimeout)
	defer cancel()
	if err := p.Release(ctx, l.ID); err != nil {
		r.log.Warn("a rented browser could not be released; the next start tries again", "provider", l.Provider, "session", l.ID, "reason", err)
		return err
	}
	r.log.Info("a rented browser was released", "provider", l.Provider, "session", l.ID)
	return nil
}

// serviceContext is for a request that is not given up in the middle: only a timeout ends it, which is shorter once the
// host is being closed.
func (r *Rentals) serviceContext(timeout time.Duration) (ctx context.Context, cancel func()) {
	ctx, end := context.WithTimeout(context.Background(), timeout)
	forget := context.AfterFunc(r.running, func() {
		emergency := time.AfterFunc(provider.EmergencyTimeout, end)
		context.AfterFunc(ctx, func() { emergency.Stop() })
	})
	return ctx, func() {
		forget()
		end()
	}
}

// releaseAbandoned ends the sessions of hosts that were killed.
func (r *Rentals) releaseAbandoned() {
	err := r.journal.Abandoned(func(l lease.Lease) error {
		if r.running.Err() != nil {
			return fault.ErrClosed
		}
		at := slices.IndexFunc(r.options.Providers, func(p provider.Provider) bool { return p.Name() == l.Provider })
		if at < 0 {
			r.log.Warn("a browser that was rented before the last crash cannot be released without the key of its provider; it ends by the service's own timeout",
				"provider", l.Provider, "session", l.ID)
			return fault.ErrProvider
		}
		return r.releaseLease(r.options.Providers[at], l)
	})
	if err != nil {
		r.log.Warn("the record of rented browsers cannot be read", "reason", err)
	}
}
