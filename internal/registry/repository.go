// Package registry keeps modules in registries of OCI artifacts, with what is attached to them: signatures, lists of
// components (SBOMs), and statements of provenance.
//
// A module is an artifact as https://tag-runtime.cncf.io/wgs/wasm/deliverables/wasm-oci-artifact/ describes it: one
// layer of application/wasm, and a configuration of application/vnd.wasm.config.v0+json. What is attached is a referrer
// of it (https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#listing-referrers), so it can be added
// later, and never changes the digest of the module's manifest.
package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/errcode"

	"github.com/hermes-cdp/hermes-cdp/internal/httpsonly"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

const (
	typeModule    = "application/wasm"
	typeConfig    = "application/vnd.wasm.config.v0+json"
	typeSignature = "application/vnd.hermes-cdp.minisign.v1" // no name is registered for minisign's signatures
	// typeBundle is that of bundles of Sigstore, and typeBundles of all their versions
	// (https://docs.sigstore.dev/about/bundle/).
	typeBundle  = typeBundles + ".v0.3+json"
	typeBundles = "application/vnd.dev.sigstore.bundle"

	// maxManifest is the size of a manifest that registries have to accept, and more than any module needs
	// (https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pushing-manifests).
	maxManifest = 4 << 20
	// maxAttached bounds how many signatures of a module are looked at, and maxPages the lists of what is attached to it,
	// each of which may be as large as a manifest.
	maxAttached, maxPages = 64, 8
)

// Errors of a registry.
var (
	ErrTooLarge = errors.New("it is too large")
	ErrTampered = errors.New("the registry sent something else than the digest names")
)

// Repository is a place of modules in a registry.
type Repository struct {
	ref    ociref.Reference
	remote *remote.Repository
}

// Open prepares requests about a reference. It asks nobody anything yet. The client is one of package httpsonly. A
// registry that wants credentials gets those that its users have logged in with: of the file that REGISTRY_AUTH_FILE
// names, else of Docker's config.json, in the directory that DOCKER_CONFIG names or in ~/.docker, with its credential
// helpers.
func Open(ref ociref.Reference, client *http.Client) (*Repository, error) {
	r, err := remote.NewRepository(ref.Registry + "/" + ref.Repository)
	if err != nil {
		return nil, ociref.ErrSyntax
	}
	r.Client = &auth.Client{Client: client, Cache: auth.NewSingleContextCache(), Credential: credential}
	r.MaxMetadataBytes, r.ReferrerListMaxPages = maxManifest, maxPages
	r.SkipReferrersGC = true // many registries refuse to delete the index that a new one replaces
	return &Repository{ref, r}, nil
}

// Base is the https URL below which the registry answers for the repository.
func (r *Repository) Base() string {
	return "https://" + r.remote.Reference.Host() + "/v2/" + r.ref.Repository
}

// credential reads the files only for a registry that wants credentials. Its error does not quote them.
func credential(ctx context.Context, host string) (auth.Credential, error) {
	open := func() (*credentials.DynamicStore, error) {
		return credentials.NewStoreFromDocker(credentials.StoreOptions{})
	}
	if path := os.Getenv("REGISTRY_AUTH_FILE"); path != "" {
		open = func() (*credentials.DynamicStore, error) {
			return credentials.NewStore(path, credentials.StoreOptions{})
		}
	}
	store, err := open()
	if err != nil {
		return auth.EmptyCredential, errUnreadable
	}
	found, err := credentials.Credential(store)(ctx, host)
	if err != nil {
		return auth.EmptyCredential, errUnreadable
	}
	return found, nil
}

var errUnreadable = errors.New("the credentials of the registry cannot be read; check the file that REGISTRY_AUTH_FILE names, " +
	"or config.json in the directory that DOCKER_CONFIG names or in ~/.docker, and its credential helper")

// Manifest is what a reference names.
type Manifest struct {
	Text       []byte
	Descriptor ocispec.Descriptor
	parsed     ocispec.Manifest
}

// Manifest fetches the manifest that the reference names: by its digest if it has one, else by its tag, else by latest.
func (r *Repository) Manifest(ctx context.Context) (Manifest, error) {
	name := r.ref.Digest
	if name == "" {
		name = r.ref.Tag
	}
	if name == "" {
		name = "latest"
	}
	return r.manifest(ctx, name)
}

func (r *Repository) manifest(ctx context.Context, name string) (Manifest, error) {
	described, body, err := r.remote.Manifests().FetchReference(ctx, name)
	if err != nil {
		return Manifest{}, r.explain(err)
	}
	defer body.Close()
	if described.Size > maxManifest {
		return Manifest{}, fmt.Errorf("the manifest has %d bytes, but the limit is %d", described.Size, maxManifest)
	}
	text, err := readBlob(body, described)
	if err != nil {
		return Manifest{}, fmt.Errorf("the manifest: %w", r.explain(err))
	}
	if wanted, err := digest.Parse(name); err == nil && wanted != described.Digest {
		return Manifest{}, ErrTampered
	}
	return ParseManifest(text)
}

// ParseManifest reads a manifest, of whatever it is.
func ParseManifest(text []byte) (Manifest, error) {
	m := Manifest{Text: text}
	if err := json.Unmarshal(text, &m.parsed); err != nil {
		return m, errors.New("the manifest is not JSON as OCI describes it")
	}
	m.Descriptor = ocispec.Descriptor{MediaType: m.parsed.MediaType, Digest: digest.FromBytes(text), Size: int64(len(text))}
	return m, nil
}

// Annotations are those of the manifest.
func (m Manifest) Annotations() map[string]string { return m.parsed.Annotations }

// Module is the layer with the module, whose digest is the sha256 of the module.
func (m Manifest) Module() (ocispec.Descriptor, error) {
	var found []ocispec.Descriptor
	for _, layer := range m.parsed.Layers {
		if layer.MediaType == typeModule {
			found = append(found, layer)
		}
	}
	switch {
	case m.parsed.MediaType != "" && m.parsed.MediaType != ocispec.MediaTypeImageManifest:
		return ocispec.Descriptor{}, fmt.Errorf("the reference names no single artifact; name the manifest of one module (%s)", ocispec.MediaTypeImageManifest)
	case len(found) != 1:
		return ocispec.Descriptor{}, fmt.Errorf("the artifact has %d layers of the type %s, and a module is one; push it with hermes-cdp plugin push", len(found), typeModule)
	case found[0].Digest.Validate() != nil || found[0].Digest.Algorithm() != digest.SHA256:
		return ocispec.Descriptor{}, errors.New("the digest of the module's layer is not a sha256")
	}
	return found[0], nil
}

// Blob fetches what a descriptor names, if it has at most limit bytes, and compares it with the digest. Wrap, which may
// be nil, sees what is read.
func (r *Repository) Blob(ctx context.Context, described ocispec.Descriptor, limit int64, wrap func(io.Reader) io.Reader) ([]byte, error) {
	if described.Size > limit {
		return nil, fmt.Errorf("%w: it has %d bytes, but the limit is %d", ErrTooLarge, described.Size, limit)
	}
	body, err := r.remote.Blobs().Fetch(ctx, described)
	if err != nil {
		return nil, r.explain(err)
	}
	defer body.Close()
	var from io.Reader = body
	if wrap != nil {
		from = wrap(body)
	}
	content, err := readBlob(from, described)
	return content, r.explain(err)
}

func readBlob(from io.Reader, described ocispec.Descriptor) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(from, described.Size+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(content)) != described.Size || digest.FromBytes(content) != described.Digest:
		return nil, ErrTampered
	}
	return content, nil
}

// Attached lists what is attached to a manifest.
func (r *Repository) Attached(ctx context.Context, manifest digest.Digest) ([]ocispec.Descriptor, error) {
	var list []ocispec.Descriptor
	err := r.remote.Referrers(ctx, ocispec.Descriptor{Digest: manifest}, "", func(page []ocispec.Descriptor) error {
		list = append(list, page...)
		return nil
	})
	return list, r.explain(err)
}

// Signatures are the signatures of minisign that are attached to a manifest.
func (r *Repository) Signatures(ctx context.Context, manifest digest.Digest) (texts [][]byte, err error) {
	err = r.eachSignature(ctx, manifest, signer.Signer{}, func(text []byte) bool {
		texts = append(texts, text)
		return true
	})
	return texts, err
}

// eachSignature fetches the signatures of the kind that a signer makes, until one is enough.
func (r *Repository) eachSignature(ctx context.Context, manifest digest.Digest, by signer.Signer, more func(text []byte) bool) error {
	attached, err := r.Attached(ctx, manifest)
	if err != nil {
		return err
	}
	seen := 0
	for _, a := range attached {
		if !isSignature(a.ArtifactType, by) || seen == maxAttached {
			continue
		}
		seen++
		text, err := r.attachedText(ctx, a)
		if err != nil || !more(text) {
			return err
		}
	}
	return nil
}

func isSignature(artifactType string, by signer.Signer) bool {
	if by.Sigstore != (signer.Sigstore{}) {
		return strings.HasPrefix(artifactType, typeBundles)
	}
	return artifactType == typeSignature
}

func (r *Repository) attachedText(ctx context.Context, described ocispec.Descriptor) ([]byte, error) {
	m, err := r.manifest(ctx, described.Digest.String())
	if err != nil {
		return nil, err
	}
	if len(m.parsed.Layers) != 1 {
		return nil, errors.New("an attached signature is not one file")
	}
	return r.Blob(ctx, m.parsed.Layers[0], signer.MaxBytes, nil)
}

// Verified is the first valid signature of a module by a signer, among those that are attached to its manifest. The
// error says what is wrong with the first of them.
func (r *Repository) Verified(ctx context.Context, by signer.Signer, with signer.Verifier, manifest, wasm []byte) (valid []byte, err error) {
	failed := fmt.Errorf("no signature is attached; sign with %s, and run hermes-cdp plugin push again", by.HowToSign())
	first := true
	err = r.eachSignature(ctx, digest.FromBytes(manifest), by, func(text []byte) bool {
		err := by.Verify(with, wasm, manifest, text)
		if err == nil {
			valid = text
		} else if first {
			failed = err
		}
		first = false
		return valid == nil
	})
	if err == nil && valid == nil {
		err = failed
	}
	return valid, err
}

// code matches the codes of errors in
// https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#error-codes.
var code = regexp.MustCompile(`^[A-Z_]{1,32}$`)

// explained is an error with a text for people.
type explained struct {
	text string
	err  error
}

func (e explained) Error() string { return e.text }

func (e explained) Unwrap() error { return e.err }

// explain makes an error of the library one for people: without what may be secret in URLs, which can be signed, and
// without texts of a server.
func (r *Repository) explain(err error) error {
	var answered *errcode.ErrorResponse
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answered):
		return r.answer(answered)
	case errors.Is(err, auth.ErrBasicCredentialNotFound):
		return fmt.Errorf("the registry wants credentials; %s", r.howToLogIn())
	case errors.Is(err, errUnreadable):
		return errUnreadable
	case errors.Is(err, errdef.ErrNotFound):
		return errors.New("the registry does not have it; check the repository, the tag and the digest")
	}
	return explained{secret.URLs(httpsonly.WithoutURL(err).Error()), err}
}

func (r *Repository) answer(response *errcode.ErrorResponse) error {
	text := fmt.Sprintf("the registry answered %d %s", response.StatusCode, http.StatusText(response.StatusCode))
	var codes []string
	for _, e := range response.Errors {
		if code.MatchString(e.Code) {
			codes = append(codes, e.Code)
		}
	}
	if len(codes) > 0 {
		text += " (" + strings.Join(codes, ", ") + ")"
	}
	if response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden {
		text += "; " + r.howToLogIn()
	}
	return errors.New(text)
}

func (r *Repository) howToLogIn() string {
	return "log in with docker login " + r.ref.Registry + ", or name a file of credentials in REGISTRY_AUTH_FILE"
}
