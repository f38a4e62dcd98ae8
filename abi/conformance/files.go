package conformance

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/strictjson"
)

//go:embed cases README.md host.mjs
var cases embed.FS

// Files are all files of the kit, for programs in other languages: README.md, the directory cases, and
// host.mjs, a host in JavaScript.
func Files() fs.FS { return cases }

// eventsFile has the events that cases are built from.
const eventsFile = "cases/events.json"

// BaseEvent is an event of events.json: as JSON for people, as bytes for programs.
type BaseEvent struct {
	Hook  abi.Hook        `json:"hook"`
	Name  string          `json:"name"` // proper, or other for an event with a different meaning
	JSON  json.RawMessage `json:"json"`
	Bytes Hex             `json:"bytes"`
}

// Events returns the bytes of the events in events.json, by name and hook.
var Events = sync.OnceValues(func() (map[string]map[abi.Hook]Hex, error) {
	list, err := read[[]BaseEvent](eventsFile)
	if err != nil {
		return nil, err
	}
	events := make(map[string]map[abi.Hook]Hex)
	for _, e := range list {
		if events[e.Name] == nil {
			events[e.Name] = make(map[abi.Hook]Hex)
		}
		events[e.Name][e.Hook] = e.Bytes
	}
	return events, nil
})

// GuestFiles returns the cases for guests, in the order of their file names.
func GuestFiles() ([]GuestFile, error) { return readAll[GuestFile]("cases/guest") }

// HostFiles returns the cases for hosts, in the order of their file names.
func HostFiles() ([]HostFile, error) { return readAll[HostFile]("cases/host") }

// Probe returns a module of the cases for hosts by its name.
func Probe(name string) ([]byte, error) {
	return cases.ReadFile("cases/host/testdata/" + name + ".wasm")
}

func readAll[T any](dir string) ([]T, error) {
	entries, err := cases.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []T
	for _, entry := range entries {
		if path.Ext(entry.Name()) != ".json" {
			continue
		}
		one, err := read[T](path.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

func read[T any](name string) (T, error) {
	var content T
	text, err := cases.ReadFile(name)
	if err == nil {
		err = strictjson.Unmarshal(text, &content)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return content, err
}
