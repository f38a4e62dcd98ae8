package control

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func (r *recorder) Journal(_ context.Context, f host.JournalFilter) ([]host.JournalEntry, error) {
	r.note("journal", f)
	return []host.JournalEntry{{
		Sequence: 7, Time: at.UTC(), Hook: abi.HookDialog, Plugin: "p", Outcome: "decided", Event: json.RawMessage(`{"message":"<1>"}`),
		Verdict: json.RawMessage(`{"action":"accept"}`), Duration: time.Second,
		Exchanges: []host.JournalExchange{{Import: abi.ImportKVGet, Key: "k", Text: "v"}, {Import: abi.ImportKVGet, Value: []byte{0xff}, Code: -1}},
	}}, r.err
}

func TestTheJournalCrossesTheWire(t *testing.T) {
	for name, filter := range map[string]host.JournalFilter{
		"everything": {},
		"one call":   {Plugin: "a b&", Task: "t ü", Hook: abi.HookDialog, Subject: "d-7", Sequence: 1 << 63, Max: 3, Candidates: true},
	} {
		t.Run(name, func(t *testing.T) {
			there := &recorder{}
			got, err := serveSocket(t, there).Journal(t.Context(), filter)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := new(recorder).Journal(t.Context(), filter)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the result is %+v, want %+v", got, want)
			}
			if !reflect.DeepEqual(there.asked, []any{"journal", filter}) {
				t.Errorf("asked %+v", there.asked)
			}
		})
	}
}

func parseQuery(t *testing.T, text string) url.Values {
	t.Helper()
	q, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestABadFilterOfTheJournalSaysWhatIsWrong(t *testing.T) {
	client := serveSocket(t, &recorder{})
	for _, c := range []struct{ query, want string }{
		{"hook=nope", `hook is "nope"; the hooks are`},
		{"sequence=-1", `sequence is "-1"`},
		{"max=many", `max is "many"`},
		{"max=-1", `max is "-1"`},
		{"candidates=maybe", `candidates is "maybe"`},
	} {
		_, err := call[[]host.JournalEntry](t.Context(), client, "GET", pathJournal, parseQuery(t, c.query), nil)
		if !errors.Is(err, fault.ErrBadRequest) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v", c.query, err)
		}
	}
}
