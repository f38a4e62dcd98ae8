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

// Options says which model is asked. URL and Model are required.
type Options struct {
	// URL is the base URL of the API, such as https://api.openai.com/v1; /chat/completions is appended to its path. Its
	// user and query are secrets and never shown.
	URL string
	// Model is the name of the model.
	Model string
	// APIKey is sent as a bearer token. If it is empty, the key in APIKeyFile is, which is read for each question; if both
	// are empty, none is sent.
	APIKey, APIKeyFile string
	// Timeout bounds a question with all its attempts. Default [DefaultTimeout].
	Timeout time.Duration
	// MaxTokens bounds the answer. Default [DefaultMaxTokens].
	MaxTokens int
	// Transport sends the requests; nil: a new one that uses the proxy in the environment.
	Transport http.RoundTripper
}

// ErrOptions says that options are invalid; see [OptionError].
var ErrOptions = errors.New("the vision model cannot be asked")

// OptionError says what is wrong with an option. It wraps [ErrOptions] and contains no secrets.
type OptionError struct {
	// Option is the name of the field.
	Option string
	// Problem says what is allowed.
	Problem string
}

// Error names the option and says what is allowed.
func (e *OptionError) Error() string { return ErrOptions.Error() + ": " + e.Option + ": " + e.Problem }

// Unwrap returns [ErrOptions].
func (e *OptionError) Unwrap() error { return ErrOptions }

// Check validates the options. The error is an [*OptionError].
func (o Options) Check() error {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return &OptionError{"URL", "it must be an http:// or https:// URL with a host, such as https://api.openai.com/v1"}
	case o.Model == "":
		return &OptionError{"Model", "it is required"}
	case o.APIKey != "" && o.APIKeyFile != "":
		return &OptionError{"APIKeyFile", "the key is given, too; take one of them out"}
	case (o.APIKey != "" || o.APIKeyFile != "" || u.User != nil) && u.Scheme == "http" && !isLocal(u.Hostname()):
		return &OptionError{"URL", "a key is sent to another machine over https:// only"}
	}
	return nil
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.MaxTokens = cmp.Or(o.MaxTokens, DefaultMaxTokens)
	return o
}

// key returns the bearer token.
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
