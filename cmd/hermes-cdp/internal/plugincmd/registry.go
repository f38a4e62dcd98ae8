package plugincmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/sigstore"
	"github.com/hermes-cdp/hermes-cdp/internal/httpsonly"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
	"github.com/hermes-cdp/hermes-cdp/internal/registry"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

// maxPulled bounds a module whose plugin, and so whose limit, is not known yet.
const maxPulled = 1 << 30

// credentialsNote is a part of the help of every command that talks to a registry.
const credentialsNote = "A registry that wants credentials gets those of the file that REGISTRY_AUTH_FILE names, else of Docker's config.json\n" +
	"(in the directory that DOCKER_CONFIG names, or in ~/.docker): docker login and podman login write them."

type pushedJSON struct {
	Reference string `json:"reference"` // with the digest of the manifest, for the configuration
	Digest    string `json:"digest"`
	SHA256    string `json:"sha256"` // of the module
	Signed    bool   `json:"signed"` // whether a signature was attached
}

func (a app) pushCommand() *cobra.Command {
	var sbom string
	var annotations map[string]string
	cmd := &cobra.Command{
		Use:   "push FILE|DIR REFERENCE",
		Short: "Push a module to a registry, with its signatures, and print the reference for the configuration",
		Long: "Push a module to a registry of OCI artifacts, with FILE.minisig and FILE.sigstore.json if they are there, and print the\n" +
			"reference with the digest of its manifest, for the configuration. REFERENCE is oci://HOST/REPOSITORY, with or without :TAG. The name, version and\n" +
			"description of the module's manifest become annotations. The same module with the same annotations has the same digest,\n" +
			"and a push of a module that was signed meanwhile attaches the signature.\n\n" + credentialsNote,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			ref, repo, err := openRepository(args[1])
			if err != nil {
				return err
			}
			if ref.Digest != "" {
				return cli.UsageError{Err: errors.New("the digest follows from the module; push to a reference without one")}
			}
			file, wasm, err := candidate.ReadFile(args[0])
			if err != nil {
				return err
			}
			a.warnOfSource(file)
			m, err := toPush(file, wasm, sbom, annotations)
			if err != nil {
				return err
			}
			artifact, err := repo.Push(cmd.Context(), m)
			if err != nil {
				return fmt.Errorf("%s: %w", ref, err)
			}
			ref.Digest = artifact.Digest.String()
			pushed := pushedJSON{Reference: ref.String(), Digest: ref.Digest, SHA256: digest.FromBytes(m.Wasm).Encoded(), Signed: m.Signature != nil || m.Bundle != nil}
			return a.WriteRows(pushed, [][]string{{"url", pushed.Reference}, {"sha256", pushed.SHA256}, {"signed", fmt.Sprint(pushed.Signed)}})
		},
	}
	cmd.Flags().StringVar(&sbom, "sbom", "", "attach the `FILE` with the module's components, CycloneDX or SPDX as JSON")
	cmd.Flags().StringToStringVar(&annotations, "annotation", nil, "an annotation `KEY=VALUE`, such as org.opencontainers.image.source=https://...; may be repeated")
	return cmd
}

// openRepository prepares requests about a reference of a command line.
func openRepository(text string) (ociref.Reference, *registry.Repository, error) {
	ref, err := ociref.Parse(text)
	if err != nil {
		return ref, nil, cli.UsageError{Err: fmt.Errorf("the reference: %w", err)}
	}
	repo, err := registry.Open(ref, httpsonly.Client(nil))
	return ref, repo, err
}

// toPush reads what is pushed beside a module. A file that is no module is refused.
func toPush(file string, wasm []byte, sbom string, annotations map[string]string) (registry.Module, error) {
	report, err := module.Inspect(wasm)
	if err != nil {
		return registry.Module{}, fmt.Errorf("%s: %w", file, err)
	}
	m := registry.Module{Wasm: wasm, File: filepath.Base(file), Annotations: described(report.Manifest)}
	maps.Copy(m.Annotations, annotations)
	if m.Signature, err = signatureBeside(file, signer.MinisignSuffix); err != nil {
		return m, err
	}
	if m.Bundle, err = signatureBeside(file, signer.SigstoreSuffix); err != nil {
		return m, err
	}
	if m.Signature != nil && signer.KeyOf(m.Signature) == "" {
		return m, fmt.Errorf("%s is not a minisign signature", file+signer.MinisignSuffix)
	}
	if m.Bundle != nil {
		if err := sigstore.CheckBundle(m.Bundle); err != nil {
			return m, fmt.Errorf("%s: %w", file+signer.SigstoreSuffix, err)
		}
	}
	if sbom != "" {
		m.SBOM, err = os.ReadFile(sbom)
		return m, err
	}
	return m, nil
}

// signatureBeside reads a signature of a file; nil: there is none.
func signatureBeside(file, suffix string) ([]byte, error) {
	text, err := os.ReadFile(file + suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// described are the annotations that a module's own manifest gives.
func described(m *module.Manifest) map[string]string {
	annotations := map[string]string{}
	if m == nil {
		return annotations
	}
	for key, value := range map[string]string{
		ocispec.AnnotationTitle: m.Name, ocispec.AnnotationVersion: m.Version, ocispec.AnnotationDescription: m.Description,
	} {
		if value != "" {
			annotations[key] = value
		}
	}
	return annotations
}

// pulled is a module of a registry.
type pulled struct {
	ref      ociref.Reference // with the digest
	repo     *registry.Repository
	manifest registry.Manifest
	wasm     []byte
	// signature is the one that the signer has made; nil: no signer was named.
	signature []byte
}

// pull fetches a module, and verifies its digest, and its signature if a signer is named.
func pull(ctx context.Context, text string, by signer.Signer) (p pulled, err error) {
	if p.ref, p.repo, err = openRepository(text); err != nil {
		return p, err
	}
	fail := func(err error) (pulled, error) { return p, fmt.Errorf("%s: %w", p.ref, err) }
	if p.manifest, err = p.repo.Manifest(ctx); err != nil {
		return fail(err)
	}
	layer, err := p.manifest.Module()
	if err != nil {
		return fail(err)
	}
	if p.wasm, err = p.repo.Blob(ctx, layer, maxPulled, nil); err != nil {
		return fail(err)
	}
	p.ref.Digest = p.manifest.Descriptor.Digest.String()
	if !by.Required() {
		return p, nil
	}
	if p.signature, err = p.repo.Verified(ctx, by, verifySigstore, p.manifest.Text, p.wasm); err != nil {
		return fail(fmt.Errorf("the signature: %w", err))
	}
	return p, nil
}

type pulledJSON struct {
	File      string `json:"file"`
	Reference string `json:"reference"` // with the digest of the manifest
	SHA256    string `json:"sha256"`    // of the module
	Verified  bool   `json:"verified"`  // whether its signature was
}

func (a app) pullCommand() *cobra.Command {
	var output string
	var signed signerFlags
	cmd := &cobra.Command{
		Use:   "pull REFERENCE",
		Short: "Fetch a module from a registry into a file, and verify its digest and signature",
		Long: "Fetch a module from a registry of OCI artifacts into a file, by the tag or the digest of REFERENCE, and verify its digest; with\n" +
			"--public-key or --sigstore-issuer also its signature, which is written beside it. What cannot be verified is not written.\n\n" + credentialsNote,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			by, err := signed.signer()
			if err != nil {
				return err
			}
			p, err := pull(cmd.Context(), args[0], by)
			if err != nil {
				return err
			}
			if output == "" {
				output = path.Base(p.ref.Repository) + ".wasm"
			}
			if p.signature != nil {
				if err := wholefile.Write(output+by.Suffix(), p.signature, 0o644); err != nil {
					return err
				}
			}
			if err := wholefile.Write(output, p.wasm, 0o644); err != nil {
				return err
			}
			done := pulledJSON{output, p.ref.String(), digest.FromBytes(p.wasm).Encoded(), p.signature != nil}
			return a.WriteRows(done, [][]string{{"file", done.File}, {"url", done.Reference}, {"sha256", done.SHA256}, {"verified", fmt.Sprint(done.Verified)}})
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to `FILE` (default: the last part of the repository, with .wasm)")
	signed.add(cmd)
	return cmd
}

// ArtifactJSON is what a registry has of a module.
type ArtifactJSON struct {
	Reference   string            `json:"reference"` // with the digest of the manifest, for the configuration
	Annotations map[string]string `json:"annotations,omitempty"`
	// Verified says that the signer that was named has signed the module.
	Verified bool `json:"verified"`
	// Keys are the ids of minisign keys that are said to have made the attached signatures; only Verified is a proof.
	Keys     []string       `json:"keys"`
	Attached []AttachedJSON `json:"attached"`
}

// AttachedJSON is something attached to a module: a signature, a list of its components, a statement of its provenance.
type AttachedJSON struct {
	Type        string            `json:"type"`
	Digest      string            `json:"digest"`
	Bytes       int64             `json:"bytes"` // of its manifest
	Annotations map[string]string `json:"annotations,omitempty"`
}

// inspectArtifact shows a module of a registry, and what the registry has of it.
func (a app) inspectArtifact(ctx context.Context, text string, by signer.Signer) error {
	p, err := pull(ctx, text, by)
	if err != nil {
		return err
	}
	artifact := ArtifactJSON{
		Reference: p.ref.String(), Annotations: p.manifest.Annotations(), Verified: p.signature != nil, Keys: []string{}, Attached: []AttachedJSON{},
	}
	subject := p.manifest.Descriptor.Digest
	attached, err := p.repo.Attached(ctx, subject)
	if err != nil {
		return fmt.Errorf("what is attached to %s: %w", p.ref, err)
	}
	for _, d := range attached {
		artifact.Attached = append(artifact.Attached, AttachedJSON{d.ArtifactType, d.Digest.String(), d.Size, d.Annotations})
	}
	signatures, err := p.repo.Signatures(ctx, subject)
	if err != nil {
		return fmt.Errorf("the signatures of %s: %w", p.ref, err)
	}
	for _, signature := range signatures {
		if key := signer.KeyOf(signature); key != "" {
			artifact.Keys = append(artifact.Keys, key)
		}
	}
	report, err := module.Inspect(p.wasm)
	if err != nil {
		return fmt.Errorf("%s: %w", p.ref, err)
	}
	both := struct {
		Artifact ArtifactJSON `json:"artifact"`
		module.Report
	}{artifact, report}
	return a.WriteRows(both, append(artifactRows(artifact), inspectRows(report)...))
}

func artifactRows(a ArtifactJSON) [][]string {
	rows := [][]string{{"url", a.Reference}}
	for _, key := range slices.Sorted(maps.Keys(a.Annotations)) {
		rows = append(rows, []string{"annotation", cli.OneLine(key + "=" + a.Annotations[key])})
	}
	rows = append(rows, []string{"signature", signatureText(a)})
	for _, d := range a.Attached {
		rows = append(rows, []string{"attached", cli.OneLine(d.Type + " " + d.Digest)})
	}
	return rows
}

func signatureText(a ArtifactJSON) string {
	switch keys := strings.Join(a.Keys, ", "); {
	case a.Verified:
		return "verified; attached are those of the keys " + keys
	case keys == "":
		return "none"
	default:
		return "not verified; attached are those that say they are of the keys " + keys + ": name one with --public-key"
	}
}
