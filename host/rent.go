package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/lease"
	"github.com/hermes-cdp/hermes-cdp/host/provider"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
)

// RentOptions says which browser [Host.Rent] rents.
type RentOptions struct {
	// Provider is the service. It is required.
	Provider provider.Provider
	// Request says what is rented.
	Request provider.Request
	// Fallback starts a local browser if none can be rented, which [Task.Notices] then says. Nil: that is an error.
	Fallback *LaunchOptions
}

// Rental is the rented browser of a task.
type Rental struct {
	// Provider is the name of the service, and SessionID its name for the session.
	Provider  string `json:"provider"`
	SessionID string `json:"session_id"`
	// LiveView is a page that shows the browser to a person; empty: there is none.
	LiveView string `json:"live_view,omitempty"`
	// ExpiresAt is when the service ends the session; zero: unknown.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// Rent rents a browser for a task and supervises all of it. The session is released when the task ends, also if the
// host is killed: the next host with the same [RentalOptions] releases it. It is idempotent like [Host.Attach], and
// returns the same errors, ErrRestartLoop like [Host.Launch], and those of the provider, whose code is ErrProvider.
//
// A lost connection is restored at the endpoint that the provider then gives. If the session has ended, the task ends,
// and calls return ErrProviderSessionExpired. An end that is known ahead is put off where the service can do that; else
// [Task.Notices] announces it.
func (h *Host) Rent(ctx context.Context, id string, rent *RentOptions, options *TaskOptions) (_ *Task, err error) {
	defer fault.During("rent", &err)
	r, o := optional.Or(rent), optional.Or(options)
	if r.Provider == nil {
		return nil, fmt.Errorf("%w: RentOptions.Provider is required", ErrBadArguments)
	}
	within := provider.CreateTimeout + h.options.ConnectTimeout
	if r.Fallback != nil {
		within += h.options.ConnectTimeout
	}
	at := place{provider: r.Provider.Name(), within: within}
	return h.startTask(ctx, id, at, o, func(ctx context.Context) (*shared, error) { return h.rentOrLaunch(ctx, id, r) })
}

// Rented returns the rented browser of the task; nil if it is not rented.
func (t *Task) Rented() *Rental {
	if t.shared.lease == nil {
		return nil
	}
	s := t.shared.lease.current()
	return &Rental{Provider: t.shared.lease.provider.Name(), SessionID: s.ID, LiveView: s.LiveView, ExpiresAt: s.ExpiresAt}
}

// Notices are what there is to know about the browser of the task that no page shows, oldest first: why it is a local
// one, what a rented one lacks, when it ends; then about the task itself: that its recording has failed.
func (t *Task) Notices() []string { return append(t.shared.notices.all(), t.notices.all()...) }

// Fallback says why the task has a local browser instead of a rented one; empty if that is not so.
func (t *Task) Fallback() string { return t.shared.fallback }

// rentOrLaunch rents a browser, or launches one if that fails.
func (h *Host) rentOrLaunch(ctx context.Context, task string, o RentOptions) (*shared, error) {
	s, err := h.rent(ctx, task, o)
	if err == nil || o.Fallback == nil || ctx.Err() != nil {
		return s, err
	}
	h.log.Warn("no browser could be rented, so a local one is started", "task", task, "provider", o.Provider.Name(), "reason", err)
	s, failed := h.startBrowser(ctx, task, *o.Fallback, false) // its own, as a rented one would be
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	s.fallback = err.Error()
	s.notices.add("this is a local browser, as none could be rented: " + s.fallback)
	return s, nil
}

// rent rents a browser and opens the connection to it.
func (h *Host) rent(ctx context.Context, task string, o RentOptions) (*shared, error) {
	l, err := h.create(ctx, task, o)
	if err != nil {
		return nil, err
	}
	s := &shared{lease: l, users: 1}
	connect, cancel := context.WithTimeout(ctx, h.options.ConnectTimeout)
	defer cancel()
	if err := l.open(connect, s); err != nil {
		return nil, errors.Join(err, l.release())
	}
	session := l.current()
	h.log.Info("a browser was rented", "task", task, "provider", o.Provider.Name(), "session", session, "expires_at", session.ExpiresAt)
	for _, note := range session.Notes {
		s.notices.add(note)
	}
	h.leaseWork.Go(func() { l.tend(s) })
	return s, nil
}

// create asks for a browser. If ctx ends first, the request goes on, and a session that it still gets is released: one
// that is cut off may leave a session whose id nobody knows.
func (h *Host) create(ctx context.Context, task string, o RentOptions) (*leased, error) {
	type answer struct {
		lease *leased
		err   error
	}
	answers := make(chan answer)
	h.leaseWork.Go(func() {
		asking, cancel := h.serviceContext(provider.CreateTimeout)
		defer cancel()
		session, err := o.Provider.Create(asking, o.Request)
		l := &leased{host: h, task: task, provider: o.Provider, session: session, at: time.Now()}
		l.ctx, l.stop = context.WithCancel(context.Background())
		if err == nil {
			err = l.keep()
		}
		select {
		case answers <- answer{l, err}:
		case <-ctx.Done():
			if err == nil {
				_ = l.release() // it is logged
			}
		}
	})
	select {
	case a := <-answers:
		return a.lease, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// leased is a rented browser until it is released.
type leased struct {
	host     *Host
	task     string
	provider provider.Provider
	at       time.Time

	mu      sync.Mutex
	session provider.Session

	ctx    context.Context // canceled when the release begins
	stop   context.CancelFunc
	ending sync.Once
	err    error // of the release
}

func (l *leased) current() provider.Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session
}

func (l *leased) record() lease.Lease {
	return lease.Lease{Provider: l.provider.Name(), ID: l.current().ID, At: l.at.UTC()}
}

// keep records the lease. A session that cannot be recorded is released.
func (l *leased) keep() error {
	err := l.host.leases.Add(l.record())
	if err == nil {
		return nil
	}
	return errors.Join(fmt.Errorf("%w: the session cannot be recorded, so that nobody could release it after a crash: %w", ErrProvider, err), l.release())
}

// open opens the connection.
func (l *leased) open(ctx context.Context, s *shared) (err error) {
	if s.address, err = cdp.Resolve(ctx, l.current().Endpoint, nil); err != nil {
		return err
	}
	s.link, err = l.host.group.AttachRented(ctx, s.address, l.renew)
	return err
}

// renew returns the endpoint to connect to after a loss.
func (l *leased) renew(ctx context.Context) (string, error) {
	s, err := l.update(ctx, l.provider.Renew)
	return s.Endpoint, err
}

// update takes over what the provider says about the session.
func (l *leased) update(ctx context.Context, ask func(context.Context, provider.Session) (provider.Session, error)) (provider.Session, error) {
	ctx, cancel := context.WithTimeout(ctx, provider.ReleaseTimeout)
	defer cancel()
	s, err := ask(ctx, l.current())
	if err != nil {
		return s, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.session = s
	return s, nil
}

// noticeAhead is how long before the end of a session it is put off or announced; at most it is a quarter of what is
// left.
const noticeAhead = time.Minute

// tend puts off the end of the session as long as the service does that, then announces it, and ends the task with it.
// It releases the session once its connection is gone for good.
func (l *leased) tend(s *shared) {
	for {
		end := l.current().ExpiresAt
		left := time.Until(end)
		if !l.wait(s, end, left-min(noticeAhead, left/4)) {
			return
		}
		if now, _ := l.update(l.ctx, l.provider.KeepAlive); now.ExpiresAt.After(end) {
			l.host.log.Info("the session of a rented browser was extended", "task", l.task, "expires_at", now.ExpiresAt)
			continue
		}
		s.notices.add(fmt.Sprintf("the rented browser ends at %s, in %v, and what is in it is then lost: finish what needs it",
			end.UTC().Format(time.TimeOnly+" UTC"), max(time.Until(end), 0).Round(time.Second)))
		if !l.wait(s, end, time.Until(end)+endGrace) {
			return
		}
		switch now, err := l.update(l.ctx, l.provider.Renew); {
		case errors.Is(err, ErrProviderSessionExpired):
			s.link.GiveUp(err)
		case now.ExpiresAt.After(end):
			continue
		}
		l.wait(s, time.Time{}, 0) // it goes on as long as its connection
		return
	}
}

// endGrace is how long after its end a session is asked about: services round that, and clocks differ.
const endGrace = time.Second

// wait waits for some time, if the end of the session is known, else without a limit. It is false if the session is
// released first, which it does itself if the connection has ended.
func (l *leased) wait(s *shared, end time.Time, d time.Duration) bool {
	var due <-chan time.Time
	if !end.IsZero() {
		timer := time.NewTimer(d)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-due:
		return true
	case <-s.link.Ended():
		_ = l.release() // it is logged
	case <-l.ctx.Done():
	}
	return false
}

// release ends the session, once, and waits for that. If it fails, the next host tries again.
func (l *leased) release() error {
	l.ending.Do(func() {
		l.stop()
		l.err = l.host.releaseLease(l.provider, l.record())
		if l.err == nil {
			l.err = l.host.leases.Remove(l.record())
		}
	})
	return l.err
}

// releaseLease ends a session at its service.
func (h *Host) releaseLease(p provider.Provider, l lease.Lease) error {
	ctx, cancel := h.serviceContext(provider.ReleaseTimeout)
	defer cancel()
	if err := p.Release(ctx, l.ID); err != nil {
		h.log.Warn("a rented browser could not be released; the next start tries again", "provider", l.Provider, "session", l.ID, "reason", err)
		return err
	}
	h.log.Info("a rented browser was released", "provider", l.Provider, "session", l.ID)
	return nil
}

// serviceContext is for a request that is not given up in the middle: only a timeout ends it, which is shorter once the
// host is being closed.
func (h *Host) serviceContext(timeout time.Duration) (ctx context.Context, cancel func()) {
	ctx, end := context.WithTimeout(context.Background(), timeout)
	forget := context.AfterFunc(h.running, func() {
		emergency := time.AfterFunc(provider.EmergencyTimeout, end)
		context.AfterFunc(ctx, func() { emergency.Stop() })
	})
	return ctx, func() {
		forget()
		end()
	}
}

// releaseAbandoned ends the sessions of hosts that were killed.
func (h *Host) releaseAbandoned() {
	err := h.leases.Abandoned(func(l lease.Lease) error {
		if h.running.Err() != nil {
			return ErrClosed
		}
		at := slices.IndexFunc(h.options.Rental.Providers, func(p provider.Provider) bool { return p.Name() == l.Provider })
		if at < 0 {
			h.log.Warn("a browser that was rented before the last crash cannot be released without the key of its provider; it ends by the service's own timeout",
				"provider", l.Provider, "session", l.ID)
			return ErrProvider
		}
		return h.releaseLease(h.options.Rental.Providers[at], l)
	})
	if err != nil {
		h.log.Warn("the record of rented browsers cannot be read", "reason", err)
	}
}

// notices are sentences for a task. The zero value is ready for use.
type notices struct {
	mu   sync.Mutex
	list []string
}

func (n *notices) add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, text)
}

func (n *notices) all() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.list)
}

// place is where the browser of a task is.
type place struct {
	address  string        // as given to Attach; empty for another
	provider string        // of a rented browser; empty for another
	within   time.Duration // bounds the start; 0: Options.ConnectTimeout
}

// same reports whether a task at one place is what was asked for at the other.
func (p place) same(other place) bool {
	return p.address == other.address && p.provider == other.provider
}

// limit is how long a start there may take.
func (h *Host) limit(p place) time.Duration { return cmp.Or(p.within, h.options.ConnectTimeout) }
