// Package sigstoretest is an instance of Sigstore for tests: an authority that issues certificates to whoever asks, a
// log and a timestamp authority, all in memory.
package sigstoretest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	protobundle "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"
	protocommon "github.com/sigstore/protobuf-specs/gen/pb-go/common/v1"
	protodsse "github.com/sigstore/protobuf-specs/gen/pb-go/dsse"
	protorekor "github.com/sigstore/protobuf-specs/gen/pb-go/rekor/v1"
	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/testing/ca"
	"github.com/sigstore/sigstore-go/pkg/tlog"
	"google.golang.org/protobuf/encoding/protojson"
)

// mediaType is that of the version of bundles that a promise of the log suffices for; see
// https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_bundle.proto.
const mediaType = "application/vnd.dev.sigstore.bundle+json;version=0.1"

// Instance is an instance of Sigstore.
type Instance struct {
	TrustedRoot string // the file
	sigstore    *ca.VirtualSigstore
}

// New makes an instance, with its trusted root in a file.
func New(t *testing.T) *Instance {
	t.Helper()
	sigstore, err := ca.NewVirtualSigstore()
	if err != nil {
		t.Fatal(err)
	}
	logs := sigstore.RekorLogs()
	for id, log := range logs {
		if log.ID, err = hex.DecodeString(id); err != nil {
			t.Fatal(err)
		}
	}
	trusted, err := root.NewTrustedRoot(root.TrustedRootMediaType01, sigstore.FulcioCertificateAuthorities(), nil, sigstore.TimestampingAuthorities(), logs)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(trusted)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "trusted_root.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return &Instance{file, sigstore}
}

// Sign is the bundle with a signature of a content by an identity for which an issuer has vouched.
func (i *Instance) Sign(t *testing.T, identity, issuer string, content []byte) []byte {
	t.Helper()
	signed, err := i.sigstore.Sign(identity, issuer, content)
	if err != nil {
		t.Fatal(err)
	}
	return i.bundle(t, signed)
}

// Attest is the bundle with a signed statement of a type about what has the SHA-256 digest.
func (i *Instance) Attest(t *testing.T, identity, issuer, predicateType, sha256 string) []byte {
	t.Helper()
	statement, err := json.Marshal(map[string]any{
		"_type": "https://in-toto.io/Statement/v1", "predicateType": predicateType, "predicate": map[string]any{},
		"subject": []any{map[string]any{"name": "module", "digest": map[string]any{"sha256": sha256}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	signed, err := i.sigstore.Attest(identity, issuer, statement)
	if err != nil {
		t.Fatal(err)
	}
	return i.bundle(t, signed)
}

func (i *Instance) bundle(t *testing.T, signed *ca.TestEntity) []byte {
	t.Helper()
	content, err := signed.VerificationContent()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := signed.TlogEntries()
	if err != nil {
		t.Fatal(err)
	}
	b := &protobundle.Bundle{MediaType: mediaType, VerificationMaterial: &protobundle.VerificationMaterial{
		Content: &protobundle.VerificationMaterial_X509CertificateChain{X509CertificateChain: &protocommon.X509CertificateChain{
			Certificates: []*protocommon.X509Certificate{{RawBytes: content.Certificate().Raw}},
		}},
		TlogEntries: []*protorekor.TransparencyLogEntry{i.promised(t, entries[0].TransparencyLogEntry())},
	}}
	signature, err := signed.SignatureContent()
	if err != nil {
		t.Fatal(err)
	}
	if message := signature.MessageSignatureContent(); message != nil {
		b.Content = &protobundle.Bundle_MessageSignature{MessageSignature: &protocommon.MessageSignature{
			MessageDigest: &protocommon.HashOutput{Algorithm: protocommon.HashAlgorithm_SHA2_256, Digest: message.Digest()}, Signature: message.Signature(),
		}}
	} else {
		envelope := signature.EnvelopeContent().RawEnvelope()
		payload, err := base64.StdEncoding.DecodeString(envelope.Payload)
		if err != nil {
			t.Fatal(err)
		}
		b.Content = &protobundle.Bundle_DsseEnvelope{DsseEnvelope: &protodsse.Envelope{
			Payload: payload, PayloadType: envelope.PayloadType, Signatures: []*protodsse.Signature{{Sig: signature.Signature()}},
		}}
	}
	text, err := protojson.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// promised completes the entry of the log as it stands in bundles: with its kind, and the log's promise to contain it.
func (i *Instance) promised(t *testing.T, entry *protorekor.TransparencyLogEntry) *protorekor.TransparencyLogEntry {
	t.Helper()
	var body struct{ Kind, APIVersion string }
	if err := json.Unmarshal(entry.CanonicalizedBody, &body); err != nil {
		t.Fatal(err)
	}
	promise, err := i.sigstore.RekorSignPayload(tlog.RekorPayload{
		Body: base64.StdEncoding.EncodeToString(entry.CanonicalizedBody), IntegratedTime: entry.IntegratedTime,
		LogIndex: entry.LogIndex, LogID: hex.EncodeToString(entry.LogId.KeyId),
	})
	if err != nil {
		t.Fatal(err)
	}
	entry.KindVersion = &protorekor.KindVersion{Kind: body.Kind, Version: body.APIVersion}
	entry.InclusionPromise = &protorekor.InclusionPromise{SignedEntryTimestamp: promise}
	return entry
}
