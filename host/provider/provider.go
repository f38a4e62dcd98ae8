package provider

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// How long a request may take, with everything that is tried for it.
const (
	CreateTimeout = 30 * time.Second
	// ReleaseTimeout also bounds renewing an endpoint and extending a session.
	ReleaseTimeout = 10 * time.Second
	// EmergencyTimeout bounds a release while the host is closed.
	EmergencyTimeout = 5 * time.Second
)

// Provider rents browsers. Its methods are safe for concurrent use, and bounded by their context and the timeouts of
// this package. Errors are [*Error].
type Provider interface {
	// Name is the name in the configuration and in what is shown, such as browserbase.
	Name() string
	// Create rents a browser. An error means that there is none, unless it is [Error.Uncertain].
	Create(context.Context, Request) (Session, error)
	// Renew returns the current state of a session, with an endpoint that can be connected to: a signed one may work only
	// once. The code of the error is fault.ErrProviderSessionExpired if the session has ended.
	Renew(context.Context, Session) (Session, error)
	// KeepAlive makes a session last longer, and returns it with its new end. The error is errors.ErrUnsupported if the
	// service cannot do that.
	KeepAlive(context.Context, Session) (Session, error)
	// Release ends a session by its id. It is not an error if the session has ended already.
	Release(ctx context.Context, id string) error
}

// Request says what is to be rented.
type Request struct {
	// Lifetime is how long the session may last. 0: as the provider is configured, else as the service decides.
	Lifetime time.Duration
}

// Session is a rented browser. Printed or logged, it does not show its endpoint.
type Session struct {
	// ID names the session at the service.
	ID string
	// Endpoint is where the browser is, as host.Host.Attach takes it. It is a secret.
	Endpoint string
	// LiveView is a page that shows the browser to a person; empty: there is none.
	LiveView string
	// ExpiresAt is when the service ends the session; zero: unknown.
	ExpiresAt time.Time
	// Notes say what the session lacks of what was asked for.
	Notes []string
}

// String returns the id.
func (s Session) String() string { return s.ID }

// GoString returns the id.
func (s Session) GoString() string { return fmt.Sprintf("provider.Session{ID: %q}", s.ID) }

// LogValue returns the id.
func (s Session) LogValue() slog.Value { return slog.StringValue(s.ID) }

// Unusable is a provider that was asked for and cannot be used. Create returns the reason.
func Unusable(name string, reason error) Provider { return unusable{name, reason} }

// Reason says why a provider is [Unusable]; nil if it is not.
func Reason(p Provider) error {
	if u, is := p.(unusable); is {
		return u.reason
	}
	return nil
}

type unusable struct {
	name   string
	reason error
}

func (u unusable) Name() string                                        { return u.name }
func (u unusable) Create(context.Context, Request) (Session, error)    { return Session{}, u.reason }
func (u unusable) Renew(context.Context, Session) (Session, error)     { return Session{}, u.reason }
func (u unusable) KeepAlive(context.Context, Session) (Session, error) { return Session{}, u.reason }
func (u unusable) Release(context.Context, string) error               { return u.reason }
