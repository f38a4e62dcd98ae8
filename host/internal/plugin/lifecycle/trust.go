package lifecycle

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// trust is what every module of a plugin has to prove, whoever brings it: a command, a file that changed, a program. Only
// who configures the plugin can change it. The zero value asks for nothing.
type trust struct {
	sha256, publicKey string
	sources           []string
}

func (s Spec) trust() trust {
	return trust{sha256: hexadecimal(s.Source.SHA256), publicKey: s.Source.PublicKey, sources: slices.Clone(s.Sources)}
}

// hexadecimal is a hash as the host writes hashes.
func hexadecimal(sha256 string) string { return strings.ToLower(strings.TrimPrefix(sha256, "sha256:")) }

// keys names what is asked for, as the configuration does.
func (t trust) keys() []string {
	var keys []string
	for _, k := range []struct {
		key  string
		asks bool
	}{{"sha256", t.sha256 != ""}, {"public_key", t.publicKey != ""}, {"sources", len(t.sources) > 0}} {
		if k.asks {
			keys = append(keys, k.key)
		}
	}
	return keys
}

func (t trust) asks() bool { return len(t.keys()) > 0 }

// bind makes a source prove what the plugin asks for. One that names another proof is refused: it could not hold both.
func (t trust) bind(s Source) (Source, error) {
	if t.sha256 != "" && s.SHA256 != "" && hexadecimal(s.SHA256) != t.sha256 {
		return s, fmt.Errorf("its modules must have the sha256 %s, and %s was named; pin the new one in the configuration once you have reviewed it", t.sha256, s.SHA256)
	}
	if t.publicKey != "" && s.PublicKey != "" && s.PublicKey != t.publicKey {
		return s, errors.New("its modules must be signed with the configured public_key, and another one was named")
	}
	s.SHA256, s.PublicKey = cmp.Or(t.sha256, s.SHA256), cmp.Or(t.publicKey, s.PublicKey)
	return s, nil
}

// again tells why a module that served before may not serve once more. There is no source to prove anything by then, so it
// counts what the plugin asked for when the module was loaded.
func (t trust) again(r recipe) error {
	switch {
	case t.publicKey != "" && r.proven.publicKey != t.publicKey:
		return errors.New("it was in service when the configured public_key was not required")
	case len(t.sources) > 0 && !slices.Equal(r.proven.sources, t.sources):
		return errors.New("it was in service when other sources were configured")
	case t.sha256 != "" && r.proven.sha256 == "":
		return errors.New("it was in service when no sha256 was required")
	}
	return nil
}

// weaker names what was asked for and is not any more.
func (t trust) weaker(next trust) []string {
	return slices.DeleteFunc(t.keys(), func(key string) bool { return slices.Contains(next.keys(), key) })
}

// admit refuses what an attempt brings that the plugin's configuration does not allow, and otherwise says what its source has
// to prove. It is on the way of every module: nothing comes into a seat but through load.
func (e *Engine) admit(m *member, a attempt) (Source, error) {
	t := a.settings.trust
	var err error
	switch source := a.source; {
	case a.made != nil:
		err = t.again(*a.made)
	case a.failsafe: // the shipped module is as good as the host, whose own rule would decide otherwise
		return source, nil
	case t.asks() && !m.configured(a):
		err = fmt.Errorf("another configuration decides otherwise, however the module is verified; change plugins.%s.config", m.name)
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

// configured reports whether an attempt brings the configuration of the plugin, or that of the module in service.
func (m *member) configured(a attempt) bool {
	same := func(config map[string]any) bool {
		ours, err := abijson.FromMap(config)
		if err != nil {
			return false
		}
		theirs, err := abijson.FromMap(a.config)
		return err == nil && bytes.Equal(ours.Append(nil), theirs.Append(nil))
	}
	return same(a.settings.config) || same(m.config)
}
