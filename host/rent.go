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
	s := t.shared.lease.Session()
	return &Rental{Provider: t.shared.lease.Provider.Name(), SessionID: s.ID, LiveView: s.LiveView, ExpiresAt: s.ExpiresAt}
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
	s := &shared{users: 1}
	rented, err := h.rentals.Rent(ctx, task, o.Provider, o.Request, s.notices.add)
	if err != nil {
		return nil, err
	}
	s.lease, s.link, s.address = rented, rented.Link, rented.Address
	return s, nil
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
