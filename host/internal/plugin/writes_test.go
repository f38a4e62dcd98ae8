package plugin

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// A replay answers what was answered, whatever the time is and whatever the store has.
func TestWritesThatCompareArePlayedBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var store guestio.Store
		var recorder guestio.Recorder
		recorder.Reset(store.Environment("p", "t", guestio.Quota{}, nil))
		guest := func(e guestio.Environment) (codes []abi.Code) {
			codes = append(codes, e.KVCompareAndSet("lock", nil, []byte("me"), time.Second))
			codes = append(codes, e.KVCompareAndSet("lock", nil, []byte("me"), time.Second))
			codes = append(codes, e.KVCompareAndSet("lock", []byte{}, []byte("me"), time.Second))
			codes = append(codes, e.KVCompareAndSet("lock", []byte("me"), []byte("you"), time.Second))
			return append(codes, e.KVSetTTL("mark", []byte("x"), time.Minute))
		}
		want := []abi.Code{0, abi.CodeConflict, abi.CodeConflict, 0, 0}
		if codes := guest(&recorder); !slices.Equal(codes, want) {
			t.Fatalf("codes are %v", codes)
		}
		time.Sleep(time.Hour) //nolint:forbidigo // the time of the bubble
		playback := guestio.NewPlayback(recorder.Exchanges())
		if codes := guest(playback); !slices.Equal(codes, want) || playback.Deviation() != nil {
			t.Errorf("played back they are %v, %v", codes, playback.Deviation())
		}
		for what, other := range map[string]func(guestio.Environment){
			"another old value":    func(e guestio.Environment) { e.KVCompareAndSet("lock", []byte("you"), []byte("me"), time.Second) },
			"another time to live": func(e guestio.Environment) { e.KVCompareAndSet("lock", nil, []byte("me"), time.Minute) },
			"another value":        func(e guestio.Environment) { e.KVCompareAndSet("lock", nil, []byte("you"), time.Second) },
		} {
			playback := guestio.NewPlayback(recorder.Exchanges()[:1])
			if other(playback); playback.Deviation() == nil {
				t.Errorf("%s is no deviation", what)
			}
		}
	})
}
