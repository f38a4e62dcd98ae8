package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/replay"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// input is something that a person does with the live picture.
type input struct {
	// Kind is click, wheel, text or key.
	Kind string `json:"kind"`
	// Tab is the tab that the person saw; empty: the tab in use.
	Tab string `json:"tab"`
	// X and Y are in CSS pixels of the viewport, DX and DY how far the wheel turns.
	X         float64  `json:"x"`
	Y         float64  `json:"y"`
	DX        float64  `json:"dx"`
	DY        float64  `json:"dy"`
	Button    string   `json:"button"`
	Count     int      `json:"count"`
	Modifiers []string `json:"modifiers"`
	// Text is typed into what has the focus; Key is one key with its modifiers, such as Control+a.
	Text string `json:"text"`
	Key  string `json:"key"`
}

// inputTime bounds one input: a person does not wait longer.
const inputTime = 20 * time.Second

// hands keeps the order of what a person does, by task. The zero value is ready.
type hands struct{ by sync.Map }

func (h *hands) lock(task string) (unlock func()) {
	one, _ := h.by.LoadOrStore(task, &sync.Mutex{})
	one.(*sync.Mutex).Lock()
	return one.(*sync.Mutex).Unlock
}

// input gives a person's input to a page, as an agent's would be, but only while the person has the task: two who act
// on one page at a time would do what neither wants.
func (s *Server) input(w http.ResponseWriter, r *http.Request) error {
	t, err := s.taskOf(r)
	if err != nil {
		return err
	}
	var in input
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&in); err != nil {
		return fmt.Errorf("%w: the body is not the JSON of an input", fault.ErrBadRequest)
	}
	defer s.hands.lock(t.ID())()
	if t.Held() == nil {
		return fmt.Errorf("%w: the agent has the task %q", fault.ErrNotHeld, t.ID())
	}
	ctx, cancel := context.WithTimeout(r.Context(), inputTime)
	defer cancel()
	result, err := in.do(ctx, t.Tab(in.Tab))
	if err != nil {
		return err
	}
	control.WriteJSON(w, http.StatusOK, result, s.o.Log)
	return nil
}

func (in input) do(ctx context.Context, tab host.Tab) (host.ActionResult, error) {
	at := host.Point{X: in.X, Y: in.Y}
	switch in.Kind {
	case "click":
		return tab.ClickAt(ctx, at, &host.ClickOptions{Button: host.MouseButton(in.Button), Count: in.Count, Modifiers: in.Modifiers})
	case "wheel":
		way, amount := host.ScrollDown, in.DY
		if math.Abs(in.DX) > math.Abs(in.DY) {
			way, amount = host.ScrollRight, in.DX
		}
		if amount < 0 {
			way = map[host.Direction]host.Direction{host.ScrollDown: host.ScrollUp, host.ScrollRight: host.ScrollLeft}[way]
		}
		return tab.Scroll(ctx, &host.ScrollOptions{At: &at, Direction: way, Amount: math.Abs(amount)})
	case "key":
		return tab.Press(ctx, in.Key, nil)
	case "text":
		return in.write(ctx, tab)
	}
	return host.ActionResult{}, fmt.Errorf("%w: there is no input %q: click, wheel, text or key", fault.ErrBadRequest, in.Kind)
}

// write types a text into the field that has the focus. Where none has it, the page gets the keys: it may have
// shortcuts, or draw its own fields.
func (in input) write(ctx context.Context, tab host.Tab) (r host.ActionResult, err error) {
	r, err = tab.Type(ctx, host.Locator{}, in.Text, nil)
	if !errors.Is(err, host.ErrNotActionable) && !errors.Is(err, host.ErrNoElement) {
		return r, err
	}
	for _, char := range in.Text {
		if r, err = tab.Press(ctx, string(char), nil); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (s *Server) recordings(w http.ResponseWriter, r *http.Request) error {
	list, err := s.o.Recordings(r.URL.Query().Get("task"))
	if err == nil {
		control.WriteJSON(w, http.StatusOK, list, s.o.Log)
	}
	return err
}

func (s *Server) recording(w http.ResponseWriter, r *http.Request) error {
	file, about, err := s.o.OpenRecording(r.PathValue("id"))
	if err != nil {
		return err
	}
	defer file.Close()
	w.Header().Set("Content-Type", "video/webm")
	http.ServeContent(w, r, "", about.Began.Time, file)
	return nil
}

// maxModule bounds a module that is checked, in bytes.
const maxModule = 16 << 20

func readModule(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	wasm, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxModule))
	if err != nil {
		return nil, fmt.Errorf("%w: the module has more than %d MiB, or did not arrive", fault.ErrRequestTooLarge, maxModule>>20)
	}
	return wasm, nil
}

// check runs all checks of a module, in a child process, and puts nothing into service.
func (s *Server) check(w http.ResponseWriter, r *http.Request) error {
	wasm, err := readModule(w, r)
	if err != nil {
		return err
	}
	report, err := module.Check(r.Context(), wasm, module.Options{Logger: s.o.Log})
	if err == nil {
		control.WriteJSON(w, http.StatusOK, report, s.o.Log)
	}
	return err
}

// replay runs one recorded call of a plugin on a module, first in a child process, and changes nothing.
func (s *Server) replay(w http.ResponseWriter, r *http.Request) error {
	wasm, err := readModule(w, r)
	if err != nil {
		return err
	}
	plugin := r.URL.Query().Get("plugin")
	sequence, err := strconv.ParseUint(r.URL.Query().Get("sequence"), 10, 64)
	if err != nil || sequence == 0 {
		return fmt.Errorf("%w: sequence is %q, want the number of a call", fault.ErrBadArguments, r.URL.Query().Get("sequence"))
	}
	calls, err := s.o.API.Journal(r.Context(), host.JournalFilter{Plugin: plugin, Sequence: sequence})
	if err != nil {
		return err
	}
	if len(calls) == 0 {
		return fmt.Errorf("%w: the journal no longer has call %d of the plugin %q", fault.ErrUnknownCall, sequence, plugin)
	}
	report, err := replay.Call(r.Context(), calls[0], replay.Module{Name: "the module", Wasm: wasm})
	if err != nil {
		return fmt.Errorf("%w: %w", fault.ErrPluginRefused, err)
	}
	control.WriteJSON(w, http.StatusOK, report, s.o.Log)
	return nil
}
