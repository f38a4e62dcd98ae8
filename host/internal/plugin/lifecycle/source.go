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

// Fetch gets a module. With an error too it may say where from. The error is a [*plugin.LoadError] of StepRead, StepPin or StepSignature.
type Fetch func(ctx context.Context, name string, s Source, limit int64) (Fetched, error)

// Spec is how a plugin is added.
type Spec struct {
	Source       Source
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
}

// recipe is all that a module is made from, so that it can be made again.
type recipe struct {
	wasm    []byte
	sha256  string
	source  string
	config  map[string]any
	encoded []byte // the configuration
}

// same tells whether two recipes make modules that decide the same.
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
	r := recipe{source: s.String(), config: maps.Clone(a.config), encoded: encoded.Append(nil)}
	fetched, err := e.options.Fetch(ctx, m.name, s, a.settings.limits.ModuleBytes)
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
