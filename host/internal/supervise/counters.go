package supervise

import "reflect"

// Counters count what happened since the connection began. Every field is a number or a map of numbers.
type Counters struct {
	Dialogs         map[string]uint64 // opened, by type
	Closed          map[string]uint64 // by closed_by
	Policies        map[string]uint64 // opened, by the policy of the task; "default" for the plugin's own choice
	VerdictsApplied uint64
	VerdictsDropped uint64 // for a dialog or a tree that had moved on
	EventsIgnored   uint64 // of sessions, frames or dialogs that are not, or no longer, known
	AnswerRetries   uint64
	Unstuck         uint64 // adopted tabs that a dialog of an earlier time held
	Foreign         uint64 // sessions of targets that belong to no task, which were let go

	BridgeProven  map[string]uint64 // requests of the bridge's script, by way: pause, request
	BridgeRefused map[string]uint64 // what was not proven to be one, by reason

	Navigations map[string]uint64 // by what became of them: see navigate_verdict.go
}

// Counters returns a copy.
func (s *State) Counters() Counters {
	var c Counters
	c.Add(s.counters)
	return c
}

// Add adds what another connection counted. It walks over the fields, so that none can be forgotten.
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
