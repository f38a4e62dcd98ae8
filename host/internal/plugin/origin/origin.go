// Package origin fetches a module from where its operator keeps it and proves that it is the intended one: by its
// sha256, and by its signature if one is required. It neither parses nor runs the module.
package origin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/httpsonly"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// Source is a place where modules are stored.
type Source interface {
	// Fetch returns the content, or an error if it has more than limit bytes. It calls progress with the number of
	// bytes so far and the total (0: unknown).
	Fetch(ctx context.Context, limit int64, progress func(done, total int64)) ([]byte, error)
	// String names the place for people, without possible secrets.
	String() string
}

// Spec says which module to fetch and how to prove that it is the right one. Exactly one of Path, URL and Bytes is set.
type Spec struct {
	Path  string
	URL   string // https, which requires SHA256; or oci with the digest of a manifest
	Bytes []byte
	// Shipped names Bytes for people; empty: the caller supplied them.
	Shipped string

	SHA256 string        // in hexadecimal; empty: any module
	Signer signer.Signer // who must have signed it
	// Signature is a path or an https URL; empty: that of the module with the suffix of the signer, or one of those
	// attached to it in its registry.
	Signature string
	// Sources are the files, directories, https URLs, registries and their repositories that the module may come from,
	// including everything below them, and [PlaceShipped]; none: anywhere. They do not restrict the signature, which is
	// its own proof.
	Sources []string

	Limit int64 // bytes of the module
}

// Options are the options of [Fetch]. The zero value works for files.
type Options struct {
	// Client is the client for URLs; nil: one that trusts the system's certificate authorities.
	Client *http.Client
	// VerifySigstore verifies bundles; nil: none is valid.
	VerifySigstore signer.Verifier
	// Dir caches downloads by their hash. Empty: a URL cannot be a source.
	Dir string
	// Progress reports the progress of a download; may be nil.
	Progress func(source string, done, total int64)
}

// Module is a fetched module.
type Module struct {
	Wasm      []byte
	SHA256    string // in hexadecimal
	Source    string // for people
	Signature []byte // that was required and is valid; nil: none was required
	Manifest  []byte // that names the module in a registry; nil: it comes from elsewhere
}

// Step is the step at which fetching failed.
type Step string

// The steps of [Fetch].
const (
	StepSource    Step = "source"
	StepRead      Step = "read"
	StepPin       Step = "pin"
	StepSignature Step = "signature"
)

// Error says why a module was rejected and what to do about it.
type Error struct {
	Step   Step
	Source string // for people
	SHA256 string // in hexadecimal; empty if the module could not be read
	Detail string
	Err    error // the cause, which may be nil
}

// Error says what is wrong and what to do about it.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s: %s", e.Source, e.Step, e.Detail) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Fetch fetches the module, compares its hash and verifies its signature. The error is an [*Error].
func Fetch(ctx context.Context, s Spec, o Options) (Module, error) {
	m, err := fetch(ctx, s, o)
	if err != nil {
		return Module{}, err
	}
	switch {
	case s.Signer.Required():
	case s.Signature != "":
		err := errors.New("a signature is named, and nobody who must have made it: name a public_key or a signer of Sigstore")
		return Module{}, &Error{StepSignature, m.Source, m.SHA256, err.Error(), err}
	default:
		return m, nil
	}
	if m.Signature, err = verify(ctx, s, o, m); err != nil {
		return Module{}, &Error{StepSignature, m.Source, m.SHA256, err.Error(), err}
	}
	return m, nil
}

func fetch(ctx context.Context, s Spec, o Options) (Module, error) {
	source, err := s.source(o)
	if err != nil {
		return Module{}, &Error{failedAt(err), s.String(), "", err.Error(), err}
	}
	wasm, err := source.Fetch(ctx, s.Limit, o.progress(source))
	if errors.Is(err, errTooLarge) {
		err = fmt.Errorf("%w; strip its debug sections, or raise limits.module_mb of the plugin", err)
	}
	if err != nil {
		return Module{}, &Error{failedAt(err), source.String(), "", err.Error(), err}
	}
	sum := sha256.Sum256(wasm)
	m := Module{Wasm: wasm, SHA256: hex.EncodeToString(sum[:]), Source: source.String()}
	if in, is := source.(*artifact); is {
		m.Manifest = in.manifest
	}
	if err := checkPin(s.SHA256, m.SHA256); err != nil {
		return Module{}, &Error{StepPin, m.Source, m.SHA256, err.Error(), err}
	}
	return m, nil
}

// failedAt distinguishes a place that is not allowed from one that cannot be read.
func failedAt(err error) Step {
	if errors.Is(err, errPlace) {
		return StepSource
	}
	return StepRead
}

// source is the place that the specification names, if it is allowed.
func (s Spec) source(o Options) (Source, error) {
	given := 0
	for _, is := range []bool{s.Path != "", s.URL != "", s.Bytes != nil} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return nil, fmt.Errorf("a module needs exactly one of a path, a URL and bytes, but %d were given", given)
	case s.Path != "" && len(s.Sources) > 0:
		return places(s.Sources).file(s.Path)
	case s.Path != "":
		return file(s.Path), nil
	case s.Bytes != nil && len(s.Sources) > 0:
		return inMemory{s.Bytes, s.Shipped}, places(s.Sources).checkBytes(s.Shipped != "")
	case s.Bytes != nil:
		return inMemory{s.Bytes, s.Shipped}, nil
	}
	return s.remote(o)
}

// remote is the source of a URL. A cached download does not prove where it came from, so the cache is not used if
// sources are restricted.
func (s Spec) remote(o Options) (Source, error) {
	want, err := pinned(s.SHA256)
	switch {
	case err != nil:
		return nil, err
	case o.Dir == "":
		return nil, fmt.Errorf("there is no directory for downloads")
	case ociref.Is(s.URL):
		return s.artifact(o)
	case want == "":
		return nil, fmt.Errorf("a URL requires the sha256 of the module, because what it serves can change")
	}
	address, err := newAddress(s.URL, httpsonly.Client(o.Client))
	if err != nil {
		return nil, err
	}
	if allowed := places(s.Sources); len(allowed) > 0 {
		address.client = allowed.client(address.client)
		return address, allowed.checkURL(address.url)
	}
	return cached{address, o.Dir, want, moduleSuffix}, nil
}

// String names the module for people, without possible secrets.
func (s Spec) String() string {
	switch {
	case s.Path != "":
		return s.Path
	case s.URL != "":
		return withoutSecrets(s.URL)
	case s.Shipped != "":
		return s.Shipped
	}
	return "bytes"
}

func (o Options) progress(source Source) func(done, total int64) {
	if o.Progress == nil {
		return func(int64, int64) {}
	}
	return func(done, total int64) { o.Progress(source.String(), done, total) }
}

// pinned normalises a hash.
func pinned(text string) (string, error) {
	want := strings.ToLower(strings.TrimPrefix(text, "sha256:"))
	if raw, err := hex.DecodeString(want); want != "" && (err != nil || len(raw) != sha256.Size) {
		return "", fmt.Errorf("the pinned sha256 %q is not 64 hexadecimal digits", text)
	}
	return want, nil
}

func checkPin(text, got string) error {
	want, err := pinned(text)
	if err != nil {
		return fmt.Errorf("%w; the module has %s", err, got)
	}
	if want != "" && want != got {
		return fmt.Errorf("the module's sha256 is %s, but %s is pinned; restore the pinned module, or pin the new hash after a review", got, want)
	}
	return nil
}
