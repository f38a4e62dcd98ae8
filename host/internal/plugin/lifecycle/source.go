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
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// Source says where a module comes from. At most one of Path, URL and Wasm is set. Without any it is the shipped module
// of the plugin's name.
type Source struct {
	Path   string
	URL    string
	Wasm   []byte
	SHA256 string // that the module must have, in hexadecimal; empty: any
	signer.Signer
	Signature string // where the signature is; empty: next to the module
}

// Fetched is a module from its source, verified as the source requires.
type Fetched struct {
	Wasm      []byte // must not change
	Source    string // for people, without secrets: shipped, a path, or a URL without its query
	Signature []byte // that was verified; nil: none was required
	Manifest  []byte // that names the module in a registry; nil: it comes from elsewhere
}

// Fetch fetches a module from one of the allowed sources, if there are any; see [Spec.Sources]. Even with an error the
// result may name the source. The error is a [*plugin.LoadError] of StepSource, StepRead, StepPin or StepSignature.
type Fetch func(ctx context.Context, name string, s Source, sources []string, limit int64) (Fetched, error)

// Spec is the specification of a plugin.
type Spec struct {
	// Source is the source of its first module. Later modules must meet its SHA256 and Signer, too.
	Source Source
	// Sources are the files, directories, https URLs, registries and their repositories that modules of the plugin may
	// come from, including everything below them, and the word shipped; none: anywhere.
	Sources []string
	// Hooks are the hooks that its modules may serve. A module that exports others is refused, or the others are
	// ignored.
	Hooks            []abi.Hook
	IgnoreExtraHooks bool

	// ConfigWins says that the configuration decides which module a start begins with, whatever was swapped before.
	ConfigWins bool

	Shipped      bool // it comes with the host; [Engine] says what that means for the order
	Priority     int
	Config       map[string]any
	Capabilities []abi.Capability
	// Functions are the names of the embedder's functions that its modules may import.
	Functions []string
	Limits    plugin.Limits
	// Durable says that what the plugin stores is on disk.
	Durable bool `json:",omitzero"`
}

// Change asks for another module of a plugin.
type Change struct {
	Source      Source
	Config      map[string]any // nil: unchanged
	Trigger     string         // the cause of the change; empty: api
	Reason      string
	RequireSame bool     // refuse a module that decides any recent call otherwise
	Tasks       []string // tasks for which a candidate decides
	Canary      Canary   // of a candidate
	// DropHooks are the hooks that the plugin may lose. A module that drops another one is refused.
	DropHooks []abi.Hook
	// DropTools are the tools that agents may lose. A module without another one that they have is refused.
	DropTools []string
}

// recipe is everything that a module is made from, so that it can be made again.
type recipe struct {
	wasm      []byte
	signature []byte // that the plugin required; nil: none
	manifest  []byte // that names it in a registry; nil: it comes from elsewhere
	sha256    string
	source    string
	config    map[string]any
	encoded   []byte // the configuration
	proven    trust  // what the plugin required when it was loaded
	kept      bool   // it comes from the disk, so it has to be proven again
}

// same reports whether modules from two recipes decide the same.
func (r recipe) same(other recipe) bool {
	return r.sha256 == other.sha256 && string(r.encoded) == string(other.encoded)
}

// recipe fetches the module of an attempt.
func (e *Engine) recipe(ctx context.Context, m *member, a attempt) (recipe, error) {
	s := a.source
	encoded, err := encode(a.config)
	if err != nil {
		return recipe{source: s.String()}, &plugin.LoadError{
			Step: plugin.StepConfig, Module: m.name, Detail: "the configuration cannot be encoded: " + err.Error(), Err: err,
		}
	}
	r := recipe{source: s.String(), config: maps.Clone(a.config), encoded: encoded, proven: a.settings.trust}
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
	r.manifest = fetched.Manifest
	r.wasm, r.signature, r.sha256 = fetched.Wasm, fetched.Signature, hashOf(fetched.Wasm)
	return r, nil
}

func encode(config map[string]any) ([]byte, error) {
	encoded, err := abijson.FromMap(config)
	return encoded.Append(nil), err
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

// shipped reports whether the source is the shipped module.
func (s Source) shipped() bool { return s.Path == "" && s.URL == "" && s.Wasm == nil }

// String names the source for people before anything is fetched. A URL may hold secrets and is not shown.
func (s Source) String() string {
	switch {
	case s.Path != "":
		return s.Path
	case s.URL != "":
		return "a URL"
	case s.Wasm != nil:
		return "bytes"
	}
	return "shipped"
}
