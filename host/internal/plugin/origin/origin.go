// Package origin gets a module from where its operator keeps it, and proves that it is the one that was meant: by its
// sha256, and by a minisign signature where a key is configured. None of the module is looked at, nor run.
package origin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// Source is a place in which modules are kept. Another kind, such as a registry, is one more implementation.
type Source interface {
	// Fetch returns the content, or an error if it has more than limit bytes. Progress is told how many bytes are there, of
	// how many (0: not known).
	Fetch(ctx context.Context, limit int64, progress func(done, total int64)) ([]byte, error)
	// String names the place for people, without what may be secret in it.
	String() string
}

// Spec says which module is meant, and how that is proven. Of Path, URL and Bytes exactly one is given.
type Spec struct {
	Path  string
	URL   string // https; SHA256 is then required
	Bytes []byte
	// Shipped names Bytes for people; empty: they were given by the caller.
	Shipped string

	SHA256    string // in hexadecimal; empty: any module
	PublicKey string // of minisign, in base64; empty: no signature is asked for
	Signature string // a path or an https address; empty: beside the module, with .minisig at the end
	// Sources are the files, directories and https addresses that the module may come from, with all below them, and
	// [PlaceShipped]; none: anywhere. They do not bind the signature, which proves itself.
	Sources []string

	Limit int64 // bytes of the module
}

// Options are the host's side of fetching. The zero value works for files.
type Options struct {
	// Client is used for addresses; nil: one that trusts the system's certificate authorities.
	Client *http.Client
	// Dir keeps what was downloaded, by its hash. Empty: an address cannot be a source.
	Dir string
	// Progress is told of a download; nil: no one is.
	Progress func(source string, done, total int64)
}

// Module is what was fetched.
type Module struct {
	Wasm   []byte
	SHA256 string // in hexadecimal
	Source string // for people
	Signed bool   // a signature was asked for, and is right
}

// Step is the part of the work at which fetching failed.
type Step string

// The steps of [Fetch].
const (
	StepSource    Step = "source"
	StepRead      Step = "read"
	StepPin       Step = "pin"
	StepSignature Step = "signature"
)

// Error says why a module was not taken, and what to do about it.
type Error struct {
	Step   Step
	Source string // for people
	SHA256 string // in hexadecimal; empty when the module could not be read
	Detail string
	Err    error // the cause, which may be nil
}

// Error says what is wrong, and what to do about it.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s: %s", e.Source, e.Step, e.Detail) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Fetch gets the module, compares its hash, and verifies its signature. The error is an [*Error].
func Fetch(ctx context.Context, s Spec, o Options) (Module, error) {
	m, err := fetch(ctx, s, o)
	if err != nil {
		return Module{}, err
	}
	if s.PublicKey == "" {
		return m, nil
	}
	if err := verify(ctx, s, o, m.Wasm); err != nil {
		return Module{}, &Error{StepSignature, m.Source, m.SHA256, err.Error(), err}
	}
	m.Signed = true
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
	if err := checkPin(s.SHA256, m.SHA256); err != nil {
		return Module{}, &Error{StepPin, m.Source, m.SHA256, err.Error(), err}
	}
	return m, nil
}

// failedAt tells a place that is not allowed from one that cannot be read.
func failedAt(err error) Step {
	if errors.Is(err, errPlace) {
		return StepSource
	}
	return StepRead
}

// source is the place that the specification names, if its plugin may have a module from there.
func (s Spec) source(o Options) (Source, error) {
	given := 0
	for _, is := range []bool{s.Path != "", s.URL != "", s.Bytes != nil} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return nil, fmt.Errorf("a module has exactly one of a path, an address and bytes, and here are %d", given)
	case s.Path != "" && len(s.Sources) > 0:
		return places(s.Sources).file(s.Path)
	case s.Path != "":
		return file(s.Path), nil
	case s.Bytes != nil && len(s.Sources) > 0:
		return memory{s.Bytes, s.Shipped}, places(s.Sources).bytes(s.Shipped != "")
	case s.Bytes != nil:
		return memory{s.Bytes, s.Shipped}, nil
	}
	return s.remote(o)
}

// remote is an address. What was kept of an earlier download tells nothing of where it came from, so it is not taken where
// that counts.
func (s Spec) remote(o Options) (Source, error) {
	want, err := pinned(s.SHA256)
	switch {
	case err != nil:
		return nil, err
	case want == "":
		return nil, fmt.Errorf("an address needs the sha256 that the module must have: what it serves can change")
	case o.Dir == "":
		return nil, fmt.Errorf("there is no folder for downloads")
	}
	address, err := newAddress(s.URL, o.client())
	if err != nil {
		return nil, err
	}
	if allowed := places(s.Sources); len(allowed) > 0 {
		address.client = allowed.client(address.client)
		return address, allowed.address(address.url)
	}
	return kept{address, o.Dir, want}, nil
}

// String names the module for people, without what may be secret.
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

// pinned returns a hash as the host writes hashes.
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
		return fmt.Errorf("the module's sha256 is %s, but %s is pinned; restore the pinned module, or pin the new hash after you reviewed it", got, want)
	}
	return nil
}
