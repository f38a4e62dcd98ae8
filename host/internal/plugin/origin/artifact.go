package origin

import (
	"context"
	"fmt"
	"io"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/hermes-cdp/hermes-cdp/internal/httpsonly"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
	"github.com/hermes-cdp/hermes-cdp/internal/registry"
)

const (
	moduleSuffix   = ".wasm"
	manifestSuffix = ".manifest.json"
)

// artifact is a module in a registry. The digest of its manifest is known, which has the digest of the module, so both
// are cached by their hashes.
type artifact struct {
	ref  ociref.Reference
	repo *registry.Repository
	dir  string // of the cache; empty: it is not used

	manifest []byte // after Fetch
}

// artifact is the source of a reference. As with other URLs, the cache is not used if sources are restricted, and
// redirects lead only to allowed URLs, and to the repository itself.
func (s Spec) artifact(o Options) (Source, error) {
	ref, err := ociref.Parse(s.URL)
	switch {
	case err != nil:
		return nil, err
	case ref.Digest == "":
		return nil, fmt.Errorf("a reference requires the digest of the manifest (@sha256:...), because a tag can change; hermes-cdp plugin inspect %s shows it", ref)
	}
	client, dir := httpsonly.Client(o.Client), o.Dir
	repo, err := registry.Open(ref, client)
	if allowed := places(s.Sources); err == nil && len(allowed) > 0 {
		if err := allowed.checkReference(ref); err != nil {
			return nil, err
		}
		dir = ""
		repo, err = registry.Open(ref, append(allowed[:len(allowed):len(allowed)], repo.Base()).client(client))
	}
	return &artifact{ref: ref, repo: repo, dir: dir}, err
}

func (a *artifact) String() string { return a.ref.String() }

// Fetch implements [Source].
func (a *artifact) Fetch(ctx context.Context, limit int64, progress func(done, total int64)) ([]byte, error) {
	text, err := a.cached(manifestOf{a}, a.ref.Digest[len("sha256:"):], manifestSuffix).Fetch(ctx, limit, progress)
	if err != nil {
		return nil, err
	}
	manifest, err := registry.ParseManifest(text)
	if err != nil {
		return nil, err
	}
	module, err := manifest.Module()
	if err != nil {
		return nil, err
	}
	a.manifest = text
	return a.cached(layerOf{a, module}, module.Digest.Encoded(), moduleSuffix).Fetch(ctx, limit, progress)
}

func (a *artifact) cached(s Source, sha256, suffix string) Source {
	if a.dir == "" {
		return s
	}
	return cached{s, a.dir, sha256, suffix}
}

// manifestOf is the manifest of an artifact.
type manifestOf struct{ *artifact }

// Fetch implements [Source]. The registry's own limit applies.
func (m manifestOf) Fetch(ctx context.Context, _ int64, _ func(done, total int64)) ([]byte, error) {
	manifest, err := m.repo.Manifest(ctx)
	return manifest.Text, err
}

// layerOf is the module of an artifact.
type layerOf struct {
	*artifact
	described ocispec.Descriptor
}

// Fetch implements [Source].
func (l layerOf) Fetch(ctx context.Context, limit int64, progress func(done, total int64)) ([]byte, error) {
	return l.repo.Blob(ctx, l.described, limit, func(body io.Reader) io.Reader {
		return &progressReader{body, 0, l.described.Size, progress}
	})
}

// verifyAttached checks the signatures that are attached to a module in its registry.
func verifyAttached(ctx context.Context, s Spec, o Options, m Module) ([]byte, error) {
	ref, err := ociref.Parse(s.URL)
	if err != nil {
		return nil, err
	}
	repo, err := registry.Open(ref, httpsonly.Client(o.Client))
	if err != nil {
		return nil, err
	}
	text, err := repo.Verified(ctx, s.Signer, o.VerifySigstore, m.Manifest, m.Wasm)
	if err != nil {
		return nil, fmt.Errorf("the signature of %s: %w", ref, err)
	}
	return text, nil
}
