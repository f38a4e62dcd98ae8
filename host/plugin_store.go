package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/storefile"
)

// PluginEntry is an entry in the store that a plugin has for a task.
type PluginEntry struct {
	Key   string `json:"key"`
	Bytes int    `json:"bytes"` // of key and value
	// Ends is when its time to live is over; nil: never.
	Ends *time.Time `json:"ends,omitempty"`
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
		list = append(list, publicEntry(e))
	}
	return list, nil
}

func publicEntry(e guestio.Entry) PluginEntry {
	out := PluginEntry{Key: e.Key, Bytes: e.Bytes}
	if !e.Ends.IsZero() {
		out.Ends = &e.Ends
	}
	return out
}

// PluginStoreUsage says how much a plugin stores for all tasks, and how much it may.
type PluginStoreUsage struct {
	Bytes     int `json:"bytes"` // of keys and values
	Keys      int `json:"keys"`
	Tasks     int `json:"tasks"`
	MaxBytes  int `json:"max_bytes"`
	MaxKeys   int `json:"max_keys"`
	TaskBytes int `json:"max_bytes_per_task"`
	TaskKeys  int `json:"max_keys_per_task"`
	// Refused counts writes that did not fit, and Evicted tasks that had ended without being closed, and whose entries
	// made room for others, both since the host began.
	Refused int    `json:"refused"`
	Evicted int    `json:"evicted"`
	Store   string `json:"store"` // disk or memory
	// Problem is [PluginInfo.StoreProblem].
	Problem string `json:"problem,omitempty"`
}

// PluginStoreUsage returns the usage of a plugin's store. The error is [ErrUnknownPlugin].
func (h *Host) PluginStoreUsage(name string) (_ PluginStoreUsage, err error) {
	defer fault.During("plugin_store_usage", &err)
	if err := h.hasPlugin(name); err != nil {
		return PluginStoreUsage{}, err
	}
	u, l := h.store.Usage(name), h.plugins.Limits(name)
	out := PluginStoreUsage{
		Bytes: u.Bytes, Keys: u.Keys, Tasks: u.Tasks, MaxBytes: l.KVTotalBytes, MaxKeys: l.KVTotalKeys,
		TaskBytes: l.KVBytes, TaskKeys: abi.MaxKVKeys, Refused: u.Refused, Evicted: u.Evicted,
	}
	out.Store, out.Problem = h.storeOf(name)
	return out, nil
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
	out := PluginEntry{Key: key, Bytes: len(key) + len(value), Value: value}
	for _, e := range t.host.store.Entries(plugin, t.ID()) {
		if e.Key == key {
			out.Ends = publicEntry(e).Ends
		}
	}
	return out, nil
}

// SetPluginEntry stores a value as the plugin itself would, and waits until it is on disk if the plugin's store is. The
// value is gone after ttl: 1 ms to [abi.MaxKVTTL], or 0 for one that stays. The error is [ErrUnknownPlugin],
// [ErrBadArguments], or [ErrTooLarge] if it does not fit what the plugin may store.
func (t *Task) SetPluginEntry(plugin, key string, value []byte, ttl time.Duration) (_ PluginEntry, err error) {
	defer fault.During("set_plugin_entry", &err)
	if err := t.host.hasPlugin(plugin); err != nil {
		return PluginEntry{}, err
	}
	if key == "" || len(key) > abi.MaxKeyBytes {
		return PluginEntry{}, fmt.Errorf("%w: a key has 1 to %d bytes", ErrBadArguments, abi.MaxKeyBytes)
	}
	if ttl != 0 && (ttl < time.Millisecond || ttl > abi.MaxKVTTL) {
		return PluginEntry{}, fmt.Errorf("%w: the time to live is %v, want 1ms to %v, or 0 for none", ErrBadArguments, ttl, abi.MaxKVTTL)
	}
	if t.host.pluginEnvironment(t.ID(), plugin).KVSetTTL(key, value, ttl) != 0 {
		l := t.host.plugins.Limits(plugin)
		return PluginEntry{}, fmt.Errorf("%w: with it the plugin %q would store more than it may, for the task %d bytes in %d keys and in total %d bytes in %d keys; delete something or raise kv_kb, kv_total_kb or kv_total_keys of plugins.%s.limits",
			ErrTooLarge, plugin, l.KVBytes, abi.MaxKVKeys, l.KVTotalBytes, l.KVTotalKeys, plugin)
	}
	if err := t.host.storeSaved(); err != nil {
		return PluginEntry{}, fmt.Errorf("it is stored, but not on disk: %w", err)
	}
	out := PluginEntry{Key: key, Bytes: len(key) + len(value)}
	if ttl > 0 {
		ends := time.Now().Add(ttl)
		out.Ends = &ends
	}
	return out, nil
}

// DeletePluginEntry deletes an entry. The error is that of [Task.PluginEntry].
func (t *Task) DeletePluginEntry(plugin, key string) (_ PluginEntry, err error) {
	defer fault.During("delete_plugin_entry", &err)
	e, err := t.PluginEntry(plugin, key)
	if err != nil {
		return PluginEntry{}, err
	}
	t.host.pluginEnvironment(t.ID(), plugin).KVDelete(key)
	if err := t.host.storeSaved(); err != nil {
		return PluginEntry{}, fmt.Errorf("it is deleted, but not on disk: %w", err)
	}
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

// What plugins store is in one of these.
const (
	storeDisk   = "disk"
	storeMemory = "memory"
)

// storeFileName is the file in Options.PluginStateDir that has what plugins store.
const storeFileName = "store.db"

var errNoStoreFile = errors.New("option PluginStateDir: it is empty, but what a plugin stores is to be on disk (StoreOnDisk)")

// savePatience is how long an operator waits for the disk.
const savePatience = 10 * time.Second

// openStore opens the file of what plugins store, or the one that is to be, if a plugin that is added or configured
// later has it there. With Options.PluginFallback the host starts without it: the plugins are worth more than what they
// remember.
func (h *Host) openStore(o Options) (err error) {
	wanted := false
	for _, p := range o.Plugins {
		wanted = wanted || p.StoreOnDisk
	}
	if !wanted && h.kept == nil {
		return nil
	}
	switch {
	case h.unkept != nil:
		err = h.unkept
	case h.kept == nil:
		err = errNoStoreFile
	default:
		h.storeFile, err = storefile.Open(filepath.Join(o.PluginStateDir, storeFileName), wanted, &h.store, h.log)
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("what plugins store: %w", err)
	if wanted && !o.PluginFallback {
		return err
	}
	h.storeProblem = err
	h.log.Error("what plugins store is in memory until the next start, and nothing of an earlier one is known", "error", err)
	return nil
}

// CheckPluginStore says what is wrong with the file of what plugins store in a directory for Options.PluginStateDir,
// such as that it is damaged. It changes nothing, does not look into a file that a host has open, and there need not
// be one.
func CheckPluginStore(dir string) error {
	return storefile.Check(filepath.Join(dir, storeFileName))
}

func (h *Host) closeStore() error {
	if h.storeFile == nil {
		return nil
	}
	return h.storeFile.Close()
}

// storeOf says where what a plugin stores is, and why it is not on disk if it should be.
func (h *Host) storeOf(name string) (where, problem string) {
	switch {
	case !h.plugins.StoreQuota(name).Durable:
		return storeMemory, ""
	case h.storeProblem != nil:
		return storeMemory, h.storeProblem.Error()
	case h.storeFile == nil:
		return storeMemory, errNoStoreFile.Error()
	}
	if err := h.storeFile.Problem(); err != nil {
		return storeDisk, "the last write to the disk failed: " + err.Error()
	}
	return storeDisk, ""
}

// storeSaved waits until what is stored now is on disk, as far as it is to be.
func (h *Host) storeSaved() error {
	if h.storeFile == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), savePatience)
	defer cancel()
	return h.storeFile.Flush(ctx)
}
