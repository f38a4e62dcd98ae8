package candidate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
)

// Request is what a command line says of a module that is to serve.
type Request struct {
	Module    string // a file, an https address, or an oci reference with a digest
	SHA256    string
	PublicKey string
	Signature string // a file, or an https address
	// ConfigJSON is the module's configuration, a JSON object; empty: the one that is in service.
	ConfigJSON string
	Reason     string
	DropHooks  []string
	DropTools  []string
}

var sha256Pattern = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)

// Change makes what a daemon is asked for. Files get absolute paths, as the daemon has another working directory. It
// reads none of them. The error says which part of the command line is wrong.
func (r Request) Change() (host.PluginChange, error) {
	c := host.PluginChange{Trigger: control.TriggerCommand, Reason: r.Reason, DropHooks: r.DropHooks, DropTools: r.DropTools}
	c.SHA256, c.PublicKey = strings.ToLower(r.SHA256), r.PublicKey
	if r.SHA256 != "" && !sha256Pattern.MatchString(r.SHA256) {
		return c, fmt.Errorf("--sha256 is %q, want 64 hexadecimal digits, as sha256sum prints them", r.SHA256)
	}
	var err error
	if c.Path, c.URL, err = r.source(); err != nil {
		return c, err
	}
	if c.URL != "" && c.SHA256 == "" && !ociref.Is(c.URL) {
		return c, errors.New("a module from an address needs --sha256, the digest that it must have")
	}
	path, address, err := fileOrAddress("--signature", r.Signature)
	if err != nil {
		return c, err
	}
	c.Signature = path + address // one of them is empty
	c.Config, err = parseObject(r.ConfigJSON)
	return c, err
}

// source tells where the module is.
func (r Request) source() (path, address string, err error) {
	if !ociref.Is(r.Module) {
		return fileOrAddress("the module", r.Module)
	}
	ref, err := ociref.Parse(r.Module)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("the module: %w", err)
	case ref.Digest == "":
		return "", "", fmt.Errorf("the module needs the digest of its manifest (@sha256:...), because a tag can change; hermes-cdp plugin inspect %s shows it", ref)
	}
	return "", ref.String(), nil
}

// fileOrAddress tells an https address from a file, whose path it makes absolute.
func fileOrAddress(what, text string) (path, address string, err error) {
	switch {
	case text == "":
		return "", "", nil
	case strings.HasPrefix(text, "https://"):
		return "", text, nil
	case strings.Contains(text, "://"):
		return "", "", fmt.Errorf("%s is at %s, want a file, an https:// address, or for a module an oci:// reference with a digest", what, config.RedactAddress(text))
	}
	path, err = filepath.Abs(text)
	return path, "", err
}

// parseObject reads a JSON object; nil for an empty text. The error quotes nothing: the text may hold secrets.
func parseObject(text string) (object map[string]any, err error) {
	if text == "" {
		return nil, nil
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	if err := decoder.Decode(&object); err != nil || object == nil {
		return nil, errors.New("--config-json is no JSON object such as {\"policy\": \"must_respond\"}")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("--config-json has more than one JSON value")
	}
	return object, nil
}
