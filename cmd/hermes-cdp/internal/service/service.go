// Package service speaks with the service manager of the system, systemd: it takes the sockets on which that listens,
// and says when a daemon is ready, reloads or ends, and that it is alive. Without one it does nothing.
//
// https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html
package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
)

// Manager is a service manager. A nil one is told nothing.
type Manager struct {
	tell     func(state string) error
	watchdog time.Duration // it must hear within this time that the daemon is alive; 0: it does not wait for that
	log      *slog.Logger
}

// Find returns the manager that has started this process; nil: there is none.
func Find(log *slog.Logger) (*Manager, error) {
	tell := func(state string) error {
		_, err := daemon.SdNotify(false, state)
		return err
	}
	if told, err := daemon.SdNotify(false, ""); !told || err != nil {
		return nil, err
	}
	watchdog, err := daemon.SdWatchdogEnabled(false)
	return &Manager{tell: tell, watchdog: watchdog, log: log}, err
}

// Ready says that the daemon can be reached, or has reloaded its configuration; status says it for people.
func (m *Manager) Ready(status string) { m.say(daemon.SdNotifyReady + "\nSTATUS=" + oneLine(status)) }

// Reloading says that it reads its configuration again. Ready ends that.
func (m *Manager) Reloading() {
	m.say(strings.TrimSpace(daemon.SdNotifyReloading + "\n" + daemon.SdNotifyMonotonicUsec()))
}

// Stopping says that it ends.
func (m *Manager) Stopping() { m.say(daemon.SdNotifyStopping) }

// Watch says, until ctx ends, that the daemon is alive, each time that alive returns no error within half the time that
// the manager waits. Otherwise it says nothing, and is restarted.
func (m *Manager) Watch(ctx context.Context, alive func(context.Context) error) {
	if m == nil || m.watchdog == 0 {
		return
	}
	half := m.watchdog / 2
	ticker := time.NewTicker(max(half/2, time.Millisecond))
	defer ticker.Stop()
	for {
		if err := within(ctx, half, alive); err == nil {
			m.say(daemon.SdNotifyWatchdog)
		} else if ctx.Err() == nil {
			m.log.Error("the daemon does not answer; the service manager restarts it if that goes on", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func within(ctx context.Context, limit time.Duration, alive func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return alive(ctx)
}

// say tells the manager something. It is no error of the daemon if nobody hears it.
func (m *Manager) say(state string) {
	if m == nil {
		return
	}
	if err := m.tell(state); err != nil {
		m.log.Warn("the service manager cannot be told", "state", strings.SplitN(state, "\n", 2)[0], "error", err)
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Sockets takes the listening sockets of the manager, by the names that its configuration gives them
// (FileDescriptorName). Names are those that the caller knows, and each can have one; with any other none is taken.
func Sockets(names ...string) (map[string]net.Listener, error) {
	all, err := activation.ListenersWithNames()
	sockets := map[string]net.Listener{}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch {
		case !slices.Contains(names, name):
			errs = append(errs, fmt.Errorf("the service manager gives a socket with the name %q; known are %s (FileDescriptorName=)", name, strings.Join(names, ", ")))
		case len(all[name]) > 1:
			errs = append(errs, fmt.Errorf("the service manager gives %d sockets with the name %q, and there can be one", len(all[name]), name))
		}
		sockets[name] = all[name][0]
	}
	if err = errors.Join(err, errors.Join(errs...)); err != nil {
		for _, list := range all {
			for _, l := range list {
				err = errors.Join(err, l.Close())
			}
		}
		return nil, err
	}
	return sockets, nil
}
