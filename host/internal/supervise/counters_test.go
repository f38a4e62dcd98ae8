package supervise_test

import (
	"reflect"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func TestDialogsAreCounted(t *testing.T) {
	s := newStory(t).on(opens("tab", abi.DialogTypeConfirm), closes("tab", true), opens("tab", abi.DialogTypeAlert))
	c := s.state.Counters()
	if c.Dialogs["confirm"] != 1 || c.Dialogs["alert"] != 1 || c.Closed["remote"] != 1 || c.Policies["default"] != 2 {
		t.Errorf("counted %+v", c)
	}
	c.Dialogs["confirm"] = 9
	if s.state.Counters().Dialogs["confirm"] != 1 {
		t.Error("the counters that were given out are not a copy")
	}
}

// Add handles every field, and panics on an unknown one.
func TestCountersAdd(t *testing.T) {
	var one, sum supervise.Counters
	for v, i := reflect.ValueOf(&one).Elem(), 0; i < v.NumField(); i++ {
		if v.Field(i).Kind() == reflect.Uint64 {
			v.Field(i).SetUint(2)
		} else {
			v.Field(i).Set(reflect.ValueOf(map[string]uint64{"key": 2}))
		}
	}
	sum.Add(one)
	sum.Add(one)
	for v, i := reflect.ValueOf(sum), 0; i < v.NumField(); i++ {
		switch f := v.Field(i).Interface().(type) {
		case uint64:
			if f != 4 {
				t.Errorf("%s is %d", v.Type().Field(i).Name, f)
			}
		case map[string]uint64:
			if f["key"] != 4 {
				t.Errorf("%s is %v", v.Type().Field(i).Name, f)
			}
		}
	}
}
