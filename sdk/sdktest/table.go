package sdktest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/internal/strictjson"
)

// Table is a file of golden cases, for one hook unless a case names another. The package documentation describes it.
type Table struct {
	// the hook of every case that names no other
	Hook abi.Hook `json:"hook"`
	// at least one
	Cases []Case `json:"cases"`
}

// Case is one case of a [Table]. Exactly one of Verdict, Abstain, Error and InitError says what is expected; KVAfter
// says what must be in the store afterwards.
type Case struct {
	// what must hold
	Name string `json:"name"`
	// absent: the table's
	Hook abi.Hook `json:"hook,omitzero"`
	// the configuration, an object; absent: there is none
	Config json.RawMessage `json:"config,omitzero"`
	// in the words of abi-reference.md; absent: the empty event
	Event json.RawMessage `json:"event,omitzero"`

	// granted; absent: kv with kv or kv_after, state with state
	Capabilities []abi.Capability `json:"capabilities,omitzero"`
	// the store before the call: texts, or {"base64": "..."}
	KV map[string]Bytes `json:"kv,omitzero"`
	// the host's state by its keys
	State map[string]json.RawMessage `json:"state,omitzero"`
	// what functions of an embedder answer: by the function's name with its version, then by request
	Embedder map[string]map[string]Bytes `json:"embedder,omitzero"`
	// an HTML file beside the table, in which the tool's page script must return the event's page; opened by plugin test
	Document string `json:"document,omitzero"`

	// compared by value; {} for a hook without verdicts
	Verdict json.RawMessage `json:"verdict,omitzero"`
	// the module leaves the decision to the next one
	Abstain bool `json:"abstain,omitzero"`
	// the reason that the plugin gives
	Error string `json:"error,omitzero"`
	// a part of the reason why the configuration is refused
	InitError string `json:"init_error,omitzero"`
	// the whole store after the call; absent: not compared
	KVAfter map[string]Bytes `json:"kv_after,omitzero"`
}

// ReadTable reads a table. An unknown key is an error.
func ReadTable(path string) (Table, error) {
	var table Table
	data, err := os.ReadFile(path)
	if err == nil {
		err = strictjson.Unmarshal(data, &table)
	}
	if err == nil && len(table.Cases) == 0 {
		err = errors.New("it has no cases")
	}
	if err != nil {
		return Table{}, fmt.Errorf("golden table %s: %w", path, err)
	}
	return table, nil
}

// Run runs every case of the table in a file as a subtest of t.
func Run(t *testing.T, path string, open Opener) {
	t.Helper()
	table, err := ReadTable(path)
	if err != nil {
		t.Fatal(err)
	}
	session := newSession(open)
	t.Cleanup(func() {
		if err := session.close(); err != nil {
			t.Error(err)
		}
	})
	for _, c := range table.Cases {
		t.Run(c.Name, func(t *testing.T) {
			if err := session.run(t.Context(), cmp.Or(c.Hook, table.Hook), c); err != nil {
				t.Error(err)
			}
		})
	}
}

// Check runs every case and returns what went wrong. It is [Run] for programs that are not tests.
func (table Table) Check(ctx context.Context, open Opener) error {
	session := newSession(open)
	var errs []error
	for _, c := range table.Cases {
		if err := session.run(ctx, cmp.Or(c.Hook, table.Hook), c); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Name, err))
		}
	}
	return errors.Join(append(errs, session.close())...)
}

// session starts a plugin once for each configuration of a table.
type session struct {
	open    Opener
	runners map[string]Runner
}

func newSession(open Opener) *session { return &session{open, make(map[string]Runner)} }

func (s *session) close() error {
	var errs []error
	for _, runner := range s.runners {
		errs = append(errs, runner.Close())
	}
	return errors.Join(errs...)
}

func (s *session) runner(ctx context.Context, config abi.Struct) (Runner, error) {
	key := string(config.Append(nil))
	if runner := s.runners[key]; runner != nil {
		return runner, nil
	}
	runner, err := s.open(ctx, config)
	if err == nil {
		s.runners[key] = runner
	}
	return runner, err
}

func (s *session) run(ctx context.Context, hook abi.Hook, c Case) error {
	if err := c.validate(hook); err != nil {
		return err
	}
	var config abi.Struct
	if len(c.Config) > 0 {
		var err error
		if config, err = abijson.ParseStruct(c.Config); err != nil {
			return err
		}
	}
	runner, err := s.runner(ctx, config)
	var refused *InitError
	switch {
	case errors.As(err, &refused):
		if c.InitError == "" || !strings.Contains(refused.Reason, c.InitError) {
			return fmt.Errorf("the configuration was refused: %s\nwant %q", refused.Reason, c.InitError)
		}
		return nil
	case err != nil:
		return err
	case c.InitError != "":
		return fmt.Errorf("the configuration was accepted, want the error %q", c.InitError)
	}
	var event []byte
	if len(c.Event) > 0 {
		if event, err = abijson.ParseEvent(hook, c.Event); err != nil {
			return fmt.Errorf("event: %w", err)
		}
	}
	in, err := c.Environment()
	if err != nil {
		return err
	}
	got, err := runner.CallIn(ctx, in, hook, event)
	if err != nil {
		return err
	}
	return errors.Join(c.compare(hook, got), c.compareStore(in.KV))
}
