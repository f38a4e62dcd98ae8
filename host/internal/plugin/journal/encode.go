package journal

import (
	"bytes"
	"maps"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// encoder encodes calls as lines of a file. It remembers the secrets that can occur in more than one call.
type encoder struct {
	configs map[string]maskedConfig // by hash

	mu     sync.Mutex
	tokens map[string]secrets // of the dialog bridge, by task
	order  []string           // the tasks of tokens, oldest first
}

// Limits on what an encoder remembers, as a host can run for months.
const (
	rememberedTasks   = 4096
	rememberedConfigs = 256
)

type maskedConfig struct {
	line    configLine
	secrets secrets
}

func newEncoder() *encoder {
	return &encoder{configs: map[string]maskedConfig{}, tokens: map[string]secrets{}}
}

// learn remembers the tokens that a task's bridge script is given. It runs before any call that can hold them is
// encoded.
func (c *encoder) learn(e *Entry) {
	if e.Hook != abi.HookBridgeScript {
		return
	}
	var event abi.BridgeScriptEvent
	if err := event.Unmarshal(e.Event); err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tokens[e.Task] == nil {
		if len(c.order) == rememberedTasks {
			delete(c.tokens, c.order[0])
			c.order = c.order[1:]
		}
		c.tokens[e.Task], c.order = secrets{}, append(c.order, e.Task)
	}
	c.tokens[e.Task].add(event.PauseToken, tokenMask("pause_token"))
	c.tokens[e.Task].add(event.RequestToken, tokenMask("request_token"))
}

// tokensOf returns a copy of the tokens of a task's bridge.
func (c *encoder) tokensOf(task string) secrets {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.tokens[task])
}

// config returns the line of the configuration that a call ran with.
func (c *encoder) config(e *Entry) maskedConfig {
	if known, ok := c.configs[e.ConfigHash]; ok {
		return known
	}
	if len(c.configs) == rememberedConfigs {
		clear(c.configs)
	}
	m := maskedConfig{line: configLine{Kind: kindConfig, Hash: e.ConfigHash}, secrets: secrets{}}
	p := m.secrets.part(e.Config, showConfig, parseConfig)
	m.line.Config, m.line.Wire, m.line.Masked = p.text, p.wire, p.masked
	c.configs[e.ConfigHash] = m
	return m
}

func showConfig(wire []byte) ([]byte, error) {
	var config abi.Struct
	if err := config.Unmarshal(wire); err != nil {
		return nil, err
	}
	return abijson.FormatStruct(config)
}

func parseConfig(text []byte) ([]byte, error) {
	config, err := abijson.ParseStruct(text)
	return config.Append(nil), err
}

// call returns the line of a call.
func (c *encoder) call(e *Entry) callLine {
	config := c.config(e)
	hidden := maps.Clone(config.secrets)
	maps.Copy(hidden, c.tokensOf(e.Task))
	line := callLine{
		Kind: kindCall, Sequence: e.Sequence, Time: e.Time, Task: e.Task, Hook: e.Hook, Subject: e.Subject,
		Plugin: e.Plugin, Generation: e.Generation, SHA256: e.SHA256, ConfigHash: e.ConfigHash, Candidate: e.Candidate,
		Capabilities: e.Capabilities, Functions: e.Functions,
		Outcome: e.Outcome, Fault: e.Fault, DurationNS: int64(e.Duration), Fuel: e.Fuel,
	}
	for _, x := range e.Exchanges {
		hidden.findInExchange(x)
	}
	event := hidden.part(e.Event, forHook(e.Hook, abijson.Event), forHook(e.Hook, abijson.ParseEvent))
	line.Event, line.EventWire = event.text, event.wire
	line.take(event)
	if e.Outcome == OutcomeDecided {
		verdict := hidden.part(e.Verdict, forHook(e.Hook, abijson.Verdict), forHook(e.Hook, abijson.ParseVerdict))
		line.Verdict, line.VerdictWire = verdict.text, verdict.wire
		line.take(verdict)
	}
	for _, x := range e.Exchanges {
		out, p := hidden.exchange(x)
		line.Exchanges = append(line.Exchanges, out)
		line.take(p)
	}
	line.Reason, line.Detail = hidden.masked(e.Reason), hidden.masked(e.Detail)
	return line
}

func (l *callLine) take(p part) {
	l.Masked = l.Masked || p.masked
	l.Incomplete = l.Incomplete || p.incomplete
}

func forHook(hook abi.Hook, convert func(abi.Hook, []byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(b []byte) ([]byte, error) { return convert(hook, b) }
}

// part is what a file stores of one message.
type part struct {
	text       jsontext.Value
	wire       []byte
	masked     bool
	incomplete bool
}

// part encodes a message as JSON with its secrets masked, and adds them to s. The bytes themselves are stored if JSON
// would not give them back, and nothing is if a secret in them cannot be masked.
func (s secrets) part(wire []byte, show, parse func([]byte) ([]byte, error)) part {
	text, err := show(wire)
	if err == nil {
		err = s.find(text)
	}
	if err != nil {
		return s.raw(wire)
	}
	shown, changed, err := s.maskJSON(text)
	if err != nil {
		return part{masked: true, incomplete: true}
	}
	back, err := parse(shown)
	switch {
	case changed && err != nil:
		return part{masked: true, incomplete: true}
	case changed:
		return part{text: shown, masked: true}
	case err != nil || !bytes.Equal(back, wire):
		return s.raw(wire)
	}
	return part{text: text}
}

func (s secrets) raw(wire []byte) part {
	if s.contains(wire) {
		return part{masked: true, incomplete: true}
	}
	return part{wire: wire}
}

// findInExchange adds what the store holds under the name of a secret.
func (s secrets) findInExchange(x guestio.Exchange) {
	for _, value := range [][]byte{x.Request, x.Value} {
		switch {
		case isJSON(value):
			_ = s.find(value)
		case secret.Name(x.Key) && utf8.Valid(value):
			s.add(string(value), secret.Redacted)
		}
	}
}

// exchange returns an exchange with its secrets masked.
func (s secrets) exchange(x guestio.Exchange) (exchangeLine, part) {
	line := exchangeLine{Import: x.Import, Key: s.masked(x.Key), Code: x.Code, Absent: x.Absent, TTLMS: x.TTLMS}
	p := part{masked: line.Key != x.Key}
	for _, key := range x.Keys {
		line.Keys = append(line.Keys, s.masked(key))
		p.masked = p.masked || line.Keys[len(line.Keys)-1] != key
	}
	value := s.value(x.Key, x.Value)
	line.Text, line.Value = string(value.text), value.wire
	request := s.value(x.Key, x.Request)
	line.Request, line.RequestBytes = string(request.text), request.wire
	p.masked = p.masked || value.masked || request.masked
	p.incomplete = value.incomplete || request.incomplete
	return line, p
}

// value masks the secrets in a value: in the members of JSON, in other text, or all of it.
func (s secrets) value(key string, value []byte) part {
	switch {
	case isJSON(value):
		shown, changed, err := s.maskJSON(value)
		if err != nil || changed {
			return part{text: shown, masked: true, incomplete: err != nil}
		}
		return part{text: value}
	case !utf8.Valid(value):
		return s.raw(value)
	default:
		text := s.maskedValue(key, string(value))
		return part{text: jsontext.Value(text), masked: text != string(value)}
	}
}

// maskedValue masks a value of the store, which may be short.
func (s secrets) maskedValue(key, value string) string {
	if mask, ok := s[value]; ok && secret.Name(key) {
		return mask
	}
	return s.masked(value)
}

// isJSON reports whether a value is an object or an array, whose members have names.
func isJSON(value []byte) bool {
	text := strings.TrimLeft(string(value), " \t\r\n")
	return text != "" && (text[0] == '{' || text[0] == '[') && jsontext.Value(value).IsValid()
}
