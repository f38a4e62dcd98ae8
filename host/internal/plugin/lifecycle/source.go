package lifecycle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// Source says where a module comes from. Of Path, URL and Wasm one is given at most; none is the shipped module of the
// plugin's name.
type Source struct {
	Path      string
	URL       string
	Wasm      []byte
	SHA256    string // in hexadecimal, that the module must have; empty: any
	PublicKey string // that must have signed it; empty: no signature is asked for
	Signature string // where the signature is; empty: beside the module
}

// Fetched is a module as its source gave it, with what the source has to prove proven.
type Fetched struct {
	Wasm   []byte // must not change
	Source string // for people, without secrets: shipped, a path, or an address without its query
}

// Fetch gets a module, from one of the sources where there are any; see [Spec.Sources]. With an error too it may say where from. The error is a [*plugin.LoadError] of
// StepSource, StepRead, StepPin or StepSignature.
type Fetch func(ctx context.Context, name string, s Source, sources []string, limit int64) (Fetched, error)

// Spec is how a plugin is added.
type Spec struct {
	// Source is that of its first module. What it has to prove by SHA256 and PublicKey each later one has to prove, too.
	Source Source
	// Sources are the files, directories and https addresses that modules of the plugin may come from, with all below them, and the
	// word shipped; none: anywhere.
	Sources []string
	// Hooks are those that its modules may serve. A module that exports others is refused, or has them ignored.
	Hooks            []abi.Hook
	IgnoreExtraHooks bool

	Shipped      bool // it is one of those that come with the host; see [Engine] for what follows
	Priority     int
	Config       map[string]any
	Capabilities []abi.Capability
	Limits       plugin.Limits
}

// Change asks for another module under a plugin's name.
type Change struct {
	Source      Source
	Config      map[string]any // nil keeps what is
	Trigger     string         // what caused the change; empty: api
	Reason      string
	RequireSame bool     // refuse a module that decides a recent call otherwise
	Tasks       []string // that a candidate serves for real; empty: it only shadows
	// DropHooks are those that the plugin may cease to serve. A module that leaves another one is refused.
	DropHooks []abi.Hook
}

// recipe is all that a module is made from, so that it can be made again.
type recipe struct {
	wasm    []byte
	sha256  string
	source  string
	config  map[string]any
	encoded []byte // the configuration
	proven  trust  // what the plugin asked for when it was loaded
}

// same reports whether two recipes make modules that decide the same.
func (r recipe) same(other recipe) bool {
	return r.sha256 == other.sha256 && string(r.encoded) == string(other.encoded)
}

// recipe fetches what the source of an attempt names.
func (e *Engine) recipe(ctx context.Context, m *member, a attempt) (recipe, error) {
	s := a.source
	encoded, err := abijson.FromMap(a.config)
	if err != nil {
		return recipe{source: s.String()}, &plugin.LoadError{
			Step: plugin.StepConfig, Module: m.name, Detail: "the configuration can not be encoded: " + err.Error(), Err: err,
		}
	}
	r := recipe{source: s.String(), config: maps.Clone(a.config), encoded: encoded.Append(nil), proven: a.settings.trust}
	fetched, err := e.options.Fetch(ctx, m.name, s, a.sources(), a.settings.limits.ModuleBytes)
	r.source = cmp.Or(fetched.Source, r.source)
	if err != nil {
		var load *plugin.LoadError
		if errors.As(err, &load) {
			r.sha256 = load.SHA256
			return r, err
		}
		return r, &plugin.LoadError{Step: plugin.StepRead, Module: m.name, Detail: err.Error(), Err: err}
	}
	r.wasm, r.sha256 = fetched.Wasm, hashOf(fetched.Wasm)
	return r, nil
}

// sources are where the module may come from; see admit for the exception.
func (a attempt) sources() []string {
	if a.failsafe {
		return nil
	}
	return a.settings.trust.sources
}

func hashOf(wasm []byte) string {
	sum := sha256.Sum256(wasm)
	return hex.EncodeToString(sum[:])
}

// String names the source for people as long as nothing was fetched. An address may have secrets in it and is not shown.
func (s Source) String() string {
	switch {
	case s.Path != "":
		return s.Path
	case s.URL != "":
		return "an address"
	case s.Wasm != nil:
		return "bytes"
	}
	return "shipped"
}
