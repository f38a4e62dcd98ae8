package lifecycle

import (
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// Info describes a plugin at one moment.
type Info struct {
	Name      string
	State     string     // serving, or out of service
	Hooks     []abi.Hook // that it serves, or served
	Manifest  *abi.Manifest
	Functions []string   // of the embedder, that the module in service imports
	Serving   Generation // zero if none is in service
	Outage    string     // why no module is in service, or none on some hooks
	// Unlike says why another module than the configured one was started, or none. Unkept says why the next process would
	// not know of what serves.
	Unlike, Unkept string
	// Configured is the hash of the module that the configuration last put into service; empty: it never did.
	Configured string
	Tally      Tally
	LastFault  LastFault
	Stats      plugin.Stats // of all generations
	Candidate  *Shadow      // nil: there is none
}

// StateOut is the state of a plugin without a module in service.
const StateOut = "out of service"

// Plugins describes all plugins and natives, in the order in which they are asked.
func (e *Engine) Plugins() []Info {
	list := make([]Info, 0, len(e.members()))
	e.inTurn(
		func(m *member) bool { list = append(list, m.info()); return true },
		func(n *native) bool { list = append(list, n.describe()); return true })
	return list
}

func (m *member) info() Info {
	s := m.seat.Load()
	out := Info{Name: m.name, State: StateOut, Stats: m.stats()}
	switch {
	case s.serving != nil:
		info := s.serving.module.Info()
		out.State, out.Hooks, out.Manifest, out.Functions, out.Serving = StateServing, info.Hooks, info.Manifest, info.Calls, m.describe(s.serving)
	case s.outage != nil:
		out.Hooks = s.outage.hooks
	}
	if s.outage != nil {
		out.Outage = s.outage.reason.Error()
	}
	if s.candidate != nil {
		shadow := s.candidate.describe()
		out.Candidate = &shadow
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	out.Tally, out.LastFault, out.Unlike, out.Unkept, out.Configured = m.tally, m.lastFault, m.unlike, m.unkept, m.base.SHA256
	return out
}

// History lists the generations of a plugin, newest first, including refused ones; a native has none. The error is
// ErrUnknownPlugin.
func (e *Engine) History(name string) ([]Generation, error) {
	if slices.ContainsFunc(e.natives, func(n *native) bool { return n.Name == name }) {
		return nil, nil
	}
	m, err := e.member(name)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Generation, 0, len(m.history))
	for _, line := range slices.Backward(m.history) {
		list = append(list, line.now())
	}
	return list, nil
}
