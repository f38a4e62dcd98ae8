package netlog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/route"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// Hide keeps the values of headers out of the log from now on.
func (n *Log) Hide(added view.Headers) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for name := range added {
		if n.hidden == nil {
			n.hidden = map[string]bool{}
		}
		n.hidden[strings.ToLower(name)] = true
	}
}

// headers lists headers by name. Secrets are not even kept.
func headers(of map[string]any, hidden map[string]bool) []view.Header {
	list := make([]view.Header, 0, len(of))
	for _, name := range slices.Sorted(maps.Keys(of)) {
		value := fmt.Sprint(of[name])
		if secret.Name(name) || hidden[strings.ToLower(name)] {
			value = secret.Redacted
		}
		list = append(list, view.Header{Name: name, Value: value})
	}
	return list
}

// WithoutSecrets returns the headers that are no secret, as many as an event has room for.
func (n *Log) WithoutSecrets(list []route.Header) []abi.HTTPHeader {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []abi.HTTPHeader
	room := abi.MaxRequestHeadersBytes
	for _, h := range list {
		if secret.Name(h.Name) || n.hidden[strings.ToLower(h.Name)] {
			continue
		}
		value := h.Value
		if strings.EqualFold(h.Name, "Referer") {
			value = secret.WithoutUser(value)
		}
		if room -= len(h.Name) + len(value); room < 0 {
			break
		}
		out = append(out, abi.HTTPHeader{Name: h.Name, Value: value})
	}
	return out
}
