package vision

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"
)

// The defaults of [Options].
const (
	DefaultTimeout   = 30 * time.Second
	DefaultMaxTokens = 1000
)

// Options says which model is asked. URL and Model must be given.
type Options struct {
	// URL is the base address of the API, such as https://api.openai.com/v1: /chat/completions is added to its path. Its user
	// and query are secrets and never shown.
	URL string
	// Model is the model's name there.
	Model string
	// APIKey is sent as a bearer token. Empty: that in APIKeyFile, which is read for each question; with neither none is sent.
	APIKey, APIKeyFile string
	// Timeout bounds a question with all that is tried for it. Default [DefaultTimeout].
	Timeout time.Duration
	// MaxTokens bounds the answer. Default [DefaultMaxTokens].
	MaxTokens int
	// Transport sends the requests; nil: over connections of its own, through the proxy that the environment names.
	Transport http.RoundTripper
}

// ErrOptions says that options can not be used; see [OptionError].
var ErrOptions = errors.New("the model that looks at pictures can not be asked")

// OptionError says what is wrong with an option. It is [ErrOptions], and has no secret.
type OptionError struct {
	// Option is the name of the field.
	Option string
	// Problem says what is allowed.
	Problem string
}

// Error names the option and says what is allowed.
func (e *OptionError) Error() string { return ErrOptions.Error() + ": " + e.Option + ": " + e.Problem }

// Unwrap gives [ErrOptions].
func (e *OptionError) Unwrap() error { return ErrOptions }

// Check tells what is wrong with the options. The error is an [*OptionError].
func (o Options) Check() error {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return &OptionError{"URL", "it must be an http:// or https:// address with a host, such as https://api.openai.com/v1"}
	case o.Model == "":
		return &OptionError{"Model", "it is missing, and no model can be asked without its name"}
	case o.APIKey != "" && o.APIKeyFile != "":
		return &OptionError{"APIKeyFile", "the key is given, too; take one of them out"}
	case (o.APIKey != "" || o.APIKeyFile != "" || u.User != nil) && u.Scheme == "http" && !isLocal(u.Hostname()):
		return &OptionError{"URL", "a key is sent to another machine over https:// only"}
	}
	return nil
}

// isLocal tells whether a host is this machine.
func isLocal(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.MaxTokens = cmp.Or(o.MaxTokens, DefaultMaxTokens)
	return o
}

// key is what is sent as a bearer token.
func (o Options) key() (string, error) {
	if o.APIKeyFile == "" {
		return o.APIKey, nil
	}
	content, err := os.ReadFile(o.APIKeyFile)
	if err != nil {
		return "", fmt.Errorf("the file with the key: %w", err)
	}
	key := strings.TrimSpace(string(content))
	if key == "" {
		return "", fmt.Errorf("the file with the key is empty: %s", o.APIKeyFile)
	}
	return key, nil
}
