package lifecycle

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
	"github.com/hermes-cdp/hermes-cdp/internal/registry"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// trust is what every module of a plugin must prove, whether it comes from a command, a changed file or a program. Only
// the configuration of the plugin can change it. The zero value requires nothing.
type trust struct {
	sha256  string
	signer  signer.Signer
	sources []string
	// manifest is the digest that the reference of a module in a registry names. It stands for the sha256 of the module,
	// which is not known before the manifest is, so it is only set without one.
	manifest string
}

func (s Spec) trust() trust {
	t := trust{sha256: hexadecimal(s.Source.SHA256), signer: s.Source.Signer, sources: slices.Clone(s.Sources)}
	if t.sha256 == "" {
		t.manifest = ociref.DigestIn(s.Source.URL)
	}
	return t
}

// hexadecimal normalises a hash.
func hexadecimal(sha256 string) string { return strings.ToLower(strings.TrimPrefix(sha256, "sha256:")) }

// keys names the requirements by their configuration keys.
func (t trust) keys() []string {
	var keys []string
	for _, k := range []struct {
		key  string
		asks bool
	}{{"sha256", t.sha256 != ""}, {"url", t.manifest != ""}, {t.signer.Key(), t.signer.Required()}, {"sources", len(t.sources) > 0}} {
		if k.asks {
			keys = append(keys, k.key)
		}
	}
	return keys
}

func (t trust) asks() bool { return len(t.keys()) > 0 }

// bind makes a source prove what the plugin requires. A source with another requirement is refused, because it could
// not meet both.
func (t trust) bind(s Source) (Source, error) {
	if t.sha256 != "" && s.SHA256 != "" && hexadecimal(s.SHA256) != t.sha256 {
		return s, fmt.Errorf("its modules must have the sha256 %s, and %s was named; pin the new one in the configuration once you have reviewed it", t.sha256, s.SHA256)
	}
	if t.manifest != "" && ociref.DigestIn(s.URL) != t.manifest {
		return s, fmt.Errorf("its modules must come from the manifest %s, which its url names; name the new one in the configuration once you have reviewed it", t.manifest)
	}
	if t.signer.Required() && s.Signer.Required() && s.Signer != t.signer {
		return s, fmt.Errorf("its modules must be signed as the configured %s says, and another signer was named", t.signer.Key())
	}
	s.SHA256, s.Signer = cmp.Or(t.sha256, s.SHA256), cmp.Or(t.signer, s.Signer)
	return s, nil
}

// checkEarlier says why a module that served before may not serve again. Its source cannot prove anything any more, so
// what the plugin required when the module was loaded counts.
func (t trust) checkEarlier(r recipe) error {
	switch {
	case t.signer.Required() && r.proven.signer != t.signer:
		return fmt.Errorf("it was in service when the configured %s was not required", t.signer.Key())
	case len(t.sources) > 0 && !slices.Equal(r.proven.sources, t.sources):
		return errors.New("it was in service when other sources were configured")
	case t.sha256 != "" && r.proven.sha256 == "":
		return errors.New("it was in service when no sha256 was required")
	case t.manifest != "" && !r.isNamedBy(t.manifest):
		return errors.New("it does not come from the manifest that the configured url names")
	}
	return nil
}

// checkKept says why a module that an earlier process served with may not serve: it has to prove all that the plugin
// requires now, except where it came from, which must have been required of it then.
func (e *Engine) checkKept(s *settings, r recipe) error {
	t := s.trust
	switch {
	case t.sha256 != "" && r.sha256 != t.sha256:
		return fmt.Errorf("the kept module has the sha256 %s", r.sha256)
	case t.manifest != "" && !r.isNamedBy(t.manifest):
		return errors.New("the kept module does not come from the manifest that the configured url names")
	case len(t.sources) > 0 && !slices.Equal(r.proven.sources, t.sources):
		return errors.New("the kept module was in service when other sources were configured")
	case t.asks() && !sameConfig(s.config, r.config):
		return errors.New("the kept module was in service with another configuration")
	case !t.signer.Required():
		return nil
	case r.signature == nil:
		return fmt.Errorf("the kept module was in service when the configured %s was not required", t.signer.Key())
	}
	manifest := r.manifest
	if r.namedBy() == "" { // a signature of it would be one of another module
		manifest = nil
	}
	return t.signer.Verify(e.options.VerifySigstore, r.wasm, manifest, r.signature)
}

// isNamedBy reports whether the module comes from the manifest with the digest, by the bytes of both.
func (r recipe) isNamedBy(digest string) bool { return r.namedBy() == digest }

// namedBy is the digest of the manifest that names the module, by the bytes of both; empty: there is none.
func (r recipe) namedBy() string {
	m, err := registry.ParseManifest(r.manifest)
	if err != nil {
		return ""
	}
	layer, err := m.Module()
	if err != nil || layer.Digest.Encoded() != r.sha256 {
		return ""
	}
	return m.Descriptor.Digest.String()
}

// weaker names the requirements that no longer apply.
func (t trust) weaker(next trust) []string {
	return slices.DeleteFunc(t.keys(), func(key string) bool { return slices.Contains(next.keys(), key) })
}

// admit refuses an attempt that the plugin's configuration does not allow, else says what its source must prove. Every
// module passes here, because load is the only way into a seat.
func (e *Engine) admit(m *member, a attempt) (Source, error) {
	t := a.settings.trust
	var err error
	switch source := a.source; {
	case a.made != nil && a.made.kept:
		err = e.checkKept(a.settings, *a.made)
	case a.made != nil:
		err = t.checkEarlier(*a.made)
	case a.failsafe: // the shipped module is part of the host, whose own rule would decide otherwise
		return source, nil
	case t.asks() && !m.configured(a):
		return source, &plugin.LoadError{Step: plugin.StepTrust, Module: m.name, Detail: otherConfiguration(m.name, t)}
	default:
		if source, err = t.bind(source); err == nil {
			return source, nil
		}
	}
	if err == nil {
		return a.source, nil
	}
	return a.source, &plugin.LoadError{Step: plugin.StepTrust, Module: m.name, Err: err,
		Detail: fmt.Sprintf("the plugin is configured with %s: %v", strings.Join(t.keys(), ", "), err)}
}

// configured reports whether an attempt has the configuration of the plugin, or that of the module in service.
func (m *member) configured(a attempt) bool {
	return sameConfig(a.settings.config, a.config) || sameConfig(m.config, a.config)
}

func sameConfig(a, b map[string]any) bool {
	ours, err := encode(a)
	if err != nil {
		return false
	}
	theirs, err := encode(b)
	return err == nil && bytes.Equal(ours, theirs)
}
