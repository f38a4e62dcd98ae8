package daemon

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/metrics"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// ways are a daemon's ways in: the operator's socket, that of agents, a loopback port where one is configured, and the
// addresses of the live page and of the metrics.
type ways struct {
	operators, agents, port, page, metrics net.Listener // all but the sockets may be nil

	at       Endpoints
	token    secret.Text // the operator's on the port
	pageName string      // the host name of the live page; empty: it has an address
	// metricsName is the same of the metrics.
	metricsName string
}

// The names of the sockets that a service manager can open for a daemon.
const (
	SocketControl = "control"
	SocketAgents  = "agents"
	SocketHTTP    = "http"
	SocketPage    = "ui"
)

// SocketNames lists them.
func SocketNames() []string { return []string{SocketControl, SocketAgents, SocketHTTP, SocketPage} }

// listen opens the ways in, but for those that are given; none of them is open when it fails.
func listen(c config.Control, given map[string]net.Listener) (_ *ways, err error) {
	w := &ways{operators: given[SocketControl], agents: given[SocketAgents], port: given[SocketHTTP], page: given[SocketPage]}
	w.at = Endpoints{Socket: c.Socket, AgentsSocket: c.AgentsSocket}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	switch {
	case w.operators != nil:
		if w.at.Socket, err = control.GivenSocket(w.operators); err != nil {
			return nil, err
		}
	default:
		if w.operators, err = control.ListenSocket(c.Socket); err != nil {
			return nil, err
		}
	}
	switch {
	case w.agents != nil: // whoever its manager lets in, as each needs a token
		w.at.AgentsSocket = w.agents.Addr().String()
	default:
		if w.agents, err = control.ListenAgentsSocket(c.AgentsSocket, control.Users(c.AgentsAccess)); err != nil {
			return nil, err
		}
	}
	if w.page == nil && c.UIAddress != "off" {
		if w.page, err = net.Listen("tcp", c.UIAddress); err != nil {
			return nil, fmt.Errorf("control.ui_address: %w", err)
		}
		w.pageName = nameIn(c.UIAddress)
	}
	if c.MetricsAddress != "" {
		address := c.MetricsAddress
		if strings.HasPrefix(address, ":") {
			address = "127.0.0.1" + address
		}
		if w.metrics, err = net.Listen("tcp", address); err != nil {
			return nil, fmt.Errorf("control.metrics_address: %w", err)
		}
		w.metricsName, w.at.Metrics = nameIn(address), w.metrics.Addr().String()
	}
	if w.port == nil && c.Address == "" {
		return w, nil
	}
	token, err := control.MakeToken(c.TokenFile)
	if err != nil {
		return nil, err
	}
	w.token = secret.New(token)
	if w.port == nil {
		if w.port, err = net.Listen("tcp", c.Address); err != nil {
			return nil, fmt.Errorf("control.address: %w", err)
		}
	}
	if !config.IsLoopback(w.port.Addr().String()) {
		return nil, fmt.Errorf("control.address: the given socket listens at %s, and only a loopback address is allowed", w.port.Addr())
	}
	w.at.Address, w.at.TokenFile = w.port.Addr().String(), c.TokenFile
	return w, nil
}

// nameIn is the name of the host in an address; empty: it is none.
func nameIn(address string) string {
	if name, _, _ := net.SplitHostPort(address); net.ParseIP(name) == nil {
		return name
	}
	return ""
}

func (w *ways) close() error {
	var errs []error
	for _, l := range []net.Listener{w.operators, w.agents, w.port, w.page, w.metrics} {
		if l != nil {
			errs = append(errs, l.Close())
		}
	}
	return errors.Join(errs...)
}

// way is one of them with what serves it.
type way struct {
	listener net.Listener
	handler  http.Handler
}

// guarded puts the guard that each way needs before what all of them serve.
func (w *ways) guarded(mux, page, counted http.Handler, guard control.Guard) []way {
	list := []way{{w.operators, guard.OperatorSocket(mux)}, {w.agents, guard.AgentsSocket(mux)}}
	if w.port != nil {
		list = append(list, way{w.port, guard.Port(mux)})
	}
	if w.page != nil {
		list = append(list, way{w.page, page}) // which has a guard of its own
	}
	if w.metrics != nil {
		list = append(list, way{w.metrics, metrics.Alone(counted, w.metricsName, guard.Log)})
	}
	return list
}
