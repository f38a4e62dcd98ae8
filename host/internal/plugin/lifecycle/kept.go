package lifecycle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// recordVersion is that of [record]. A record of another version is not read.
const recordVersion = 1

// record is what is kept of a plugin for the next process. Configurations in it may hold secrets.
type record struct {
	Version int  `json:"version"`
	Base    base `json:"base"`
	// Serving is the last good module, and Granted the hooks that were granted to it.
	Serving   *keptModule    `json:"serving,omitempty"`
	Granted   []abi.Hook     `json:"granted,omitempty"`
	Earlier   []keptModule   `json:"earlier,omitempty"`
	Candidate *keptCandidate `json:"candidate,omitempty"`
	// Added is the specification of a plugin that an operator added, and Withdrawn that an operator took out of service a
	// configured one.
	Added     *Spec        `json:"added,omitempty"`
	Withdrawn *withdrawal  `json:"withdrawn,omitempty"`
	Numbers   int          `json:"numbers"`
	History   []Generation `json:"history"`
}

// base is the configuration beside which the module in service was chosen.
type base struct {
	Spec   string `json:"spec"`             // the digest of the specification
	SHA256 string `json:"sha256,omitempty"` // of the module that it last put into service
	Chosen bool   `json:"chosen,omitempty"` // since then another one was put into service, by an operator or after faults
}

// keptModule is a recipe without the module, which is kept under its hash.
type keptModule struct {
	SHA256  string   `json:"sha256"`
	Source  string   `json:"source"`
	Config  []byte   `json:"config,omitempty"` // encoded
	Sources []string `json:"sources,omitempty"`
	// Manifest is the one that names the module, if it comes from a registry.
	Manifest []byte `json:"manifest,omitempty"`
	// Signed is the suffix of the file of its signature; empty: that of minisign, in records of earlier versions too.
	Signed string `json:"signed,omitempty"`
}

type keptCandidate struct {
	Module keptModule `json:"module"`
	Tasks  []string   `json:"tasks,omitempty"`
	Drop   []abi.Hook `json:"drop,omitempty"`
	// DropTools are the tools that agents may lose with it.
	DropTools []string `json:"drop_tools,omitempty"`
	Canary    Canary   `json:"canary,omitzero"`
}

func (r recipe) keep() keptModule {
	return keptModule{
		SHA256: r.sha256, Source: r.source, Config: r.encoded, Sources: r.proven.sources, Manifest: r.manifest,
		Signed: strings.TrimSuffix(signer.SuffixOf(r.signature), signer.MinisignSuffix),
	}
}

// digest identifies the specification in a record. Encoding it cannot fail: its configuration was decoded from a file,
// or is refused when the module is loaded.
func (s Spec) digest() string {
	s.ConfigWins = false
	text, _ := json.Marshal(s)
	return hashOf(text)
}

// noteBase remembers what the configuration put into service, or that somebody else did.
func (m *member) noteBase(g *generation) {
	trigger, digest := m.describe(g).Trigger, m.settings.Load().digest
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unlike = ""
	switch trigger {
	case triggerStart, triggerFile, triggerReload:
		m.base = base{Spec: digest, SHA256: g.recipe.sha256}
	case triggerRestore, triggerFallback:
	default:
		m.base.Spec, m.base.Chosen = digest, true
	}
}

// save keeps what the next process has to know of a plugin. The caller has the turn. A failure changes nothing for this
// process; it is logged, and shown with the plugin.
func (e *Engine) save(m *member) {
	problem := e.options.KeepProblem
	if e.options.Keep != nil {
		problem = e.write(m)
	}
	if problem == nil {
		m.setUnkept("")
		return
	}
	m.setUnkept("the next start will not know of it: " + problem.Error())
	e.log.Error("what serves for a plugin is not kept for the next start", "plugin", m.name, "error", problem)
}

func (m *member) setUnkept(text string) {
	s := m.seat.Load()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unkept = text
	if s.serving != nil {
		s.serving.entry.Unkept = text
	}
	if s.candidate != nil {
		s.candidate.generation.entry.Unkept = text
	}
}

// write writes the modules first, so that no record names one that is missing.
func (e *Engine) write(m *member) error {
	r, recipes := m.record()
	for _, made := range recipes {
		if wasm, ok := e.ownModule(m.name); ok && hashOf(wasm) == made.sha256 {
			continue
		}
		if err := e.options.Keep.AddModule(made.sha256, made.wasm, made.signature); err != nil {
			return err
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return e.options.Keep.SetRecord(m.name, text)
}

// record is what there is to keep, and the modules that it names.
func (m *member) record() (r record, recipes []recipe) {
	s, last := m.seat.Load(), m.lastGood
	if s.serving != nil && m.describe(s.serving).Trigger != triggerFallback {
		last = &good{s.serving.recipe, m.settings.Load().hooks}
	}
	r = record{Version: recordVersion, Added: m.added, Withdrawn: m.withdrawn}
	if last != nil {
		kept := last.recipe.keep()
		r.Serving, r.Granted, recipes = &kept, last.granted, append(recipes, last.recipe)
	}
	for _, earlier := range m.earlier {
		r.Earlier, recipes = append(r.Earlier, earlier.keep()), append(recipes, earlier)
	}
	if c := s.candidate; c != nil {
		made := c.generation.recipe
		r.Candidate, recipes = &keptCandidate{made.keep(), c.tasks, c.drop, c.dropTools, c.canary}, append(recipes, made)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r.Base, r.Numbers = m.base, m.numbers
	for _, line := range m.history {
		r.History = append(r.History, line.now())
	}
	return r, recipes
}

// good is a module that has served, with the hooks that were granted to it.
type good struct {
	recipe  recipe
	granted []abi.Hook
}

// recall reads what an earlier process kept of a plugin, and gives the plugin its history and its earlier modules.
func (e *Engine) recall(m *member) (record, error) {
	r, err := e.recorded(m.name)
	if err != nil {
		return record{}, err
	}
	m.base, m.numbers = r.Base, r.Numbers
	for _, line := range r.History {
		if line.State != StateRefused {
			line.State = StateRetired
		}
		line.Unkept = ""
		m.history = append(m.history, &entry{Generation: line})
	}
	for _, kept := range r.Earlier {
		made, err := e.remake(m.name, kept)
		if err != nil {
			e.log.Warn("an earlier module of a plugin is lost, so no rollback leads to it", "plugin", m.name, "error", err)
			continue
		}
		m.earlier = append(m.earlier, made)
	}
	return r, nil
}

func (e *Engine) recorded(name string) (record, error) {
	var r record
	if e.options.Keep == nil {
		return r, nil
	}
	text, err := e.options.Keep.Record(name)
	if err != nil || text == nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return record{}, fmt.Errorf("the record of the plugin cannot be read: %w", err)
	}
	if r.Version != recordVersion {
		return record{}, fmt.Errorf("the record of the plugin has the version %d, and this host reads %d", r.Version, recordVersion)
	}
	return r, nil
}

// remake is how a kept module is made again. It has still to prove what the plugin requires.
func (e *Engine) remake(name string, kept keptModule) (recipe, error) {
	r := recipe{sha256: kept.SHA256, source: kept.Source, encoded: kept.Config, manifest: kept.Manifest, proven: trust{sources: kept.Sources}, kept: true}
	var config abi.Struct
	if err := config.Unmarshal(kept.Config); err != nil {
		return r, fmt.Errorf("its kept configuration cannot be read: %w", err)
	}
	r.config = abijson.ToMap(config)
	if wasm, ok := e.ownModule(name); ok && hashOf(wasm) == kept.SHA256 {
		r.wasm = wasm
		return r, nil
	}
	var err error
	r.wasm, r.signature, err = e.options.Keep.Module(kept.SHA256, cmp.Or(kept.Signed, signer.MinisignSuffix))
	return r, err
}

func (e *Engine) ownModule(name string) (wasm []byte, ok bool) {
	if e.options.Shipped == nil {
		return nil, false
	}
	return e.options.Shipped(name)
}

// forget removes what is kept of a plugin.
func (e *Engine) forget(m *member) {
	if e.options.Keep == nil {
		return
	}
	if err := e.options.Keep.SetRecord(m.name, nil); err != nil {
		e.log.Error("what was kept of a plugin could not be removed, so the next start may bring it back", "plugin", m.name, "error", err)
	}
}

// Sweep removes what is kept of plugins that there are no longer. A module stays while a record that cannot be read may
// need it.
func (e *Engine) Sweep() error {
	if e.options.Keep == nil {
		return nil
	}
	names, err := e.options.Keep.Names()
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, name := range names {
		m, _ := e.member(name)
		r, err := e.recorded(name)
		switch {
		case err != nil:
			return err
		case m == nil && e.hasWithdrawn(name):
		case m == nil:
			if err := e.options.Keep.SetRecord(name, nil); err != nil {
				return err
			}
			continue
		}
		for _, kept := range r.modules() {
			used[kept.SHA256] = true
		}
	}
	return e.options.Keep.Sweep(used)
}

func (e *Engine) hasWithdrawn(name string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, is := e.withdrawn[name]
	return is
}

func (r record) modules() []keptModule {
	list := slices.Clone(r.Earlier)
	if r.Serving != nil {
		list = append(list, *r.Serving)
	}
	if r.Candidate != nil {
		list = append(list, r.Candidate.Module)
	}
	return list
}

// grantedSince are the hooks that are granted now, were not granted to the last good module, and are not served by it.
func grantedSince(granted, then, served []abi.Hook) []abi.Hook {
	return slices.DeleteFunc(slices.Clone(granted), func(h abi.Hook) bool {
		return h == abi.HookDialogClosed || slices.Contains(then, h) || slices.Contains(served, h)
	})
}
