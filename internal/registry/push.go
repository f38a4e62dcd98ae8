package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/errdef"
)

// The types of lists of components, of https://www.iana.org/assignments/media-types.
const (
	typeCycloneDX = "application/vnd.cyclonedx+json"
	typeSPDX      = "application/spdx+json"
)

// Module is a module to push.
type Module struct {
	Wasm []byte
	File string // its name, which other tools give the file that they pull
	// Annotations of the manifest, such as org.opencontainers.image.version.
	Annotations map[string]string
	Signature   []byte // of minisign; nil: none
	Bundle      []byte // of Sigstore; nil: none
	SBOM        []byte // CycloneDX or SPDX, as JSON; nil: none
}

// config is the configuration of an artifact of WebAssembly. The time is always the same, so that the same module has
// the same digest whoever pushes it; other tools want one.
type config struct {
	Created      string          `json:"created"`
	Architecture string          `json:"architecture"`
	OS           string          `json:"os"`
	LayerDigests []digest.Digest `json:"layerDigests"`
}

// Push pushes a module with what is attached to it, and gives it the tag of the reference. The same module with the
// same annotations has the same digest.
func (r *Repository) Push(ctx context.Context, m Module) (ocispec.Descriptor, error) {
	sbomType := ""
	if m.SBOM != nil {
		if sbomType = typeOfSBOM(m.SBOM); sbomType == "" {
			return ocispec.Descriptor{}, errors.New("the SBOM is neither CycloneDX nor SPDX, as JSON")
		}
	}
	layer := describe(typeModule, m.Wasm)
	layer.Annotations = map[string]string{ocispec.AnnotationTitle: m.File}
	text, err := json.Marshal(config{"1970-01-01T00:00:00Z", "wasm", "wasip1", []digest.Digest{layer.Digest}})
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	described, err := r.pushArtifact(ctx, ocispec.Manifest{
		Config: describe(typeConfig, text), Layers: []ocispec.Descriptor{layer}, Annotations: maps.Clone(m.Annotations),
	}, text, m.Wasm)
	if err != nil {
		return described, fmt.Errorf("the module: %w", err)
	}
	for _, a := range []struct {
		what, kind string
		content    []byte
	}{{"signature", typeSignature, m.Signature}, {"bundle", typeBundle, m.Bundle}, {"SBOM", sbomType, m.SBOM}} {
		if a.content == nil {
			continue
		}
		if err := r.attach(ctx, described, a.kind, a.content); err != nil {
			return described, fmt.Errorf("the %s: %w", a.what, err)
		}
	}
	if r.ref.Tag == "" {
		return described, nil
	}
	return described, r.explain(r.remote.Tag(ctx, described, r.ref.Tag))
}

// attach pushes one file as a referrer.
func (r *Repository) attach(ctx context.Context, subject ocispec.Descriptor, kind string, content []byte) error {
	_, err := r.pushArtifact(ctx, ocispec.Manifest{
		ArtifactType: kind, Config: ocispec.DescriptorEmptyJSON, Layers: []ocispec.Descriptor{describe(kind, content)}, Subject: &subject,
	}, ocispec.DescriptorEmptyJSON.Data, content)
	return err
}

// pushArtifact pushes the contents of a manifest with one layer, and then the manifest.
func (r *Repository) pushArtifact(ctx context.Context, m ocispec.Manifest, config, layer []byte) (ocispec.Descriptor, error) {
	m.Versioned, m.MediaType = specs.Versioned{SchemaVersion: 2}, ocispec.MediaTypeImageManifest
	for _, blob := range []struct {
		described ocispec.Descriptor
		content   []byte
	}{{m.Config, config}, {m.Layers[0], layer}} {
		if err := r.pushBlob(ctx, blob.described, bytes.NewReader(blob.content)); err != nil {
			return ocispec.Descriptor{}, r.explain(err)
		}
	}
	text, err := json.Marshal(m)
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	described, err := oras.PushBytes(ctx, r.remote.Manifests(), ocispec.MediaTypeImageManifest, text)
	return described, r.explain(err)
}

// pushBlob pushes what the registry does not have yet.
func (r *Repository) pushBlob(ctx context.Context, described ocispec.Descriptor, content io.Reader) error {
	if has, err := r.remote.Blobs().Exists(ctx, described); has || err != nil {
		return err
	}
	err := r.remote.Blobs().Push(ctx, described, content)
	if errors.Is(err, errdef.ErrAlreadyExists) {
		return nil
	}
	return err
}

func describe(mediaType string, content []byte) ocispec.Descriptor {
	return ocispec.Descriptor{MediaType: mediaType, Digest: digest.FromBytes(content), Size: int64(len(content))}
}

// typeOfSBOM tells the formats apart by the members that their schemas require; empty: it is neither.
func typeOfSBOM(text []byte) string {
	var sbom struct {
		BOMFormat   string `json:"bomFormat"`
		SPDXVersion string `json:"spdxVersion"`
	}
	switch err := json.Unmarshal(text, &sbom); {
	case err != nil:
		return ""
	case sbom.BOMFormat == "CycloneDX":
		return typeCycloneDX
	case sbom.SPDXVersion != "":
		return typeSPDX
	}
	return ""
}
