package supervise

import (
	"reflect"
	"strconv"
	"time"
)

// Counters count what has happened since the connection began. Every field is a number or a map of numbers.
type Counters struct {
	Dialogs         map[string]uint64 // opened, by type
	Closed          map[string]uint64 // by closed_by
	Policies        map[string]uint64 // opened, by the task's policy; "default" if it has none
	OpenWithin      map[string]uint64 // closed, by closed_by and the bound of how long they were open; see [OpenBounds]
	OpenNanos       map[string]uint64 // how long they were open together, by closed_by
	VerdictsApplied uint64
	VerdictsDropped uint64 // too late: the dialog or tree had moved on
	EventsIgnored   uint64 // of unknown sessions, frames or dialogs
	AnswerRetries   uint64
	Unstuck         uint64 // adopted tabs blocked by a dialog from before they were attached
	Foreign         uint64 // released sessions of targets that belong to no task

	BridgeProven  map[string]uint64 // requests proven to be from the bridge's script, by kind: pause, request
	BridgeRefused map[string]uint64 // others, by the reason for which they were refused

	Navigations map[string]uint64 // by outcome; see navigate_verdict.go
	Requests    map[string]uint64 // by outcome; see request.go
}

// Counters returns a copy.
func (s *State) Counters() Counters {
	var c Counters
	c.Add(s.counters)
	return c
}

// Add adds the counts of another connection. It iterates over the fields by reflection, so that none is forgotten.
func (c *Counters) Add(other Counters) {
	into, from := reflect.ValueOf(c).Elem(), reflect.ValueOf(other)
	for i := range into.NumField() {
		field, value := into.Field(i), from.Field(i)
		if field.Kind() == reflect.Uint64 {
			field.SetUint(field.Uint() + value.Uint())
			continue
		}
		sum := field.Interface().(map[string]uint64)
		if sum == nil {
			sum = map[string]uint64{}
			field.Set(reflect.ValueOf(sum))
		}
		for key, n := range value.Interface().(map[string]uint64) {
			sum[key] += n
		}
	}
}

func count(m *map[string]uint64, key string) {
	if *m == nil {
		*m = map[string]uint64{}
	}
	(*m)[key]++
}

// OpenBounds are the bounds of how long dialogs were open, in milliseconds; 0 is no bound.
var OpenBounds = []int64{100, 500, 1000, 5000, 10_000, 30_000, 60_000, 300_000, 0}

// OpenKey is the key of [Counters.OpenWithin].
func OpenKey(closedBy string, bound int64) string {
	return closedBy + " " + strconv.FormatInt(bound, 10)
}

// countOpen counts a closed dialog by how long it was open.
func (c *Counters) countOpen(closedBy string, open time.Duration) {
	for _, bound := range OpenBounds {
		if bound == 0 || open <= time.Duration(bound)*time.Millisecond {
			count(&c.OpenWithin, OpenKey(closedBy, bound))
			break
		}
	}
	if c.OpenNanos == nil {
		c.OpenNanos = map[string]uint64{}
	}
	c.OpenNanos[closedBy] += uint64(max(open, 0))
}
