package host

import (
	"context"
	"fmt"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// PluginEntry is an entry in the store that a plugin has for a task.
type PluginEntry struct {
	Key   string `json:"key"`
	Bytes int    `json:"bytes"` // of key and value
	// Value is what is stored; nil in a list.
	Value []byte `json:"value,omitempty"`
}

// PluginEntries lists what a plugin has stored for the task, by key, without the values. The error is
// [ErrUnknownPlugin].
func (t *Task) PluginEntries(plugin string) (_ []PluginEntry, err error) {
	defer fault.During("plugin_entries", &err)
	if err := t.host.hasPlugin(plugin); err != nil {
		return nil, err
	}
	list := []PluginEntry{}
	for _, e := range t.host.store.Entries(plugin, t.ID()) {
		list = append(list, PluginEntry{Key: e.Key, Bytes: e.Bytes})
	}
	return list, nil
}

// PluginEntry returns one entry with its value. The error is [ErrUnknownPlugin], or [ErrBadArguments]
// if there is no such entry.
func (t *Task) PluginEntry(plugin, key string) (_ PluginEntry, err error) {
	defer fault.During("plugin_entry", &err)
	if err := t.host.hasPlugin(plugin); err != nil {
		return PluginEntry{}, err
	}
	value, code := t.host.pluginEnvironment(t.ID(), plugin).KVGet(key)
	if code != 0 {
		return PluginEntry{}, noEntry(plugin, key, t.ID())
	}
	return PluginEntry{Key: key, Bytes: len(key) + len(value), Value: value}, nil
}

// SetPluginEntry stores a value as the plugin itself would. The error is [ErrUnknownPlugin], or
// [ErrTooLarge] if it does
// not fit what the plugin may store.
func (t *Task) SetPluginEntry(plugin, key string, value []byte) (_ PluginEntry, err error) {
	defer fault.During("set_plugin_entry", &err)
	if err := t.host.hasPlugin(plugin); err != nil {
		return PluginEntry{}, err
	}
	if key == "" || len(key) > abi.MaxKeyBytes {
		return PluginEntry{}, fmt.Errorf("%w: a key has 1 to %d bytes", ErrBadArguments, abi.MaxKeyBytes)
	}
	if t.host.pluginEnvironment(t.ID(), plugin).KVSet(key, value) != 0 {
		return PluginEntry{}, fmt.Errorf("%w: with it the plugin %q would store more than it may for the task: %d bytes in %d keys; delete something or raise plugins.%s.limits.kv_kb",
			ErrTooLarge, plugin, t.host.plugins.Limits(plugin).KVBytes, abi.MaxKVKeys, plugin)
	}
	return PluginEntry{Key: key, Bytes: len(key) + len(value)}, nil
}

// DeletePluginEntry deletes an entry. The error is that of [Task.PluginEntry].
func (t *Task) DeletePluginEntry(plugin, key string) (_ PluginEntry, err error) {
	defer fault.During("delete_plugin_entry", &err)
	e, err := t.PluginEntry(plugin, key)
	if err != nil {
		return PluginEntry{}, err
	}
	t.host.pluginEnvironment(t.ID(), plugin).KVDelete(key)
	e.Value = nil
	return e, nil
}

func noEntry(plugin, key, task string) error {
	return fmt.Errorf("%w: plugin %q has stored nothing under the key %q for the task %q; plugin kv list shows what it has", ErrBadArguments, plugin, key, task)
}

func (h *Host) hasPlugin(name string) error {
	_, err := h.plugins.History(name)
	return err
}

// PluginLine is a line that a module wrote to its log.
type PluginLine struct {
	Number     uint64    `json:"number"` // from 1, for each plugin
	Time       time.Time `json:"time"`
	Level      string    `json:"level"`
	Generation int       `json:"generation"`
	// During says what the module was doing: start, trial (a self-test or a replay), service or candidate.
	During string `json:"during"`
	Stream string `json:"stream,omitempty"` // stdout or stderr; empty: the log of the host
	Text   string `json:"text"`             // with secrets of the configuration masked
	// Dropped counts lines before it that were too many in their second.
	Dropped int `json:"dropped_before,omitempty"`
}

// PluginLines returns the latest lines of a plugin's log after the one with that number, oldest first: at most 1,000,
// those of refused modules too. If there are none it waits for one until ctx ends, and then returns none. The error is
// [ErrUnknownPlugin] or [ErrClosed].
func (h *Host) PluginLines(ctx context.Context, name string, after uint64) (_ []PluginLine, err error) {
	defer fault.During("plugin_lines", &err)
	list, err := h.plugins.Lines(ctx, name, after)
	if err != nil {
		return nil, err
	}
	out := []PluginLine{}
	for _, l := range list {
		out = append(out, PluginLine{
			Number: l.Number, Time: l.Time, Level: l.Level.String(), Generation: l.Generation, During: l.During, Stream: l.Stream, Text: l.Text, Dropped: l.Dropped,
		})
	}
	return out, nil
}
