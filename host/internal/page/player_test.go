package page

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
)

var update = flag.Bool("update", false, "write the golden files again")

// player is a tab that replies with recorded answers of Chromium. Its sessions can be made not to answer, and to fail.
type player struct {
	Tab     []Frame                    `json:"frames"`
	Replies map[string]json.RawMessage `json:"replies"`

	ctx    context.Context
	silent map[string]bool // sessions that never answer
	fails  error           // of all commands
	after  func(*player)   // called with the first tree that is asked for
	once   sync.Once
	mu     sync.Mutex
	asked  map[string]int
}

var (
	errGone  = errors.New("the frame is gone")
	errEnded = errors.New("the operation has ended")
)

// play reads the recording of a page.
func play(t *testing.T, name string) *player {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	p := &player{ctx: t.Context(), silent: map[string]bool{}, asked: map[string]int{}}
	if err := json.Unmarshal(data, p); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *player) Context() context.Context { return p.ctx }
func (p *player) Target() string           { return "TAB" }
func (p *player) Ends(err error) bool      { return errors.Is(err, errEnded) }

func (p *player) Frames() []Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Frame(nil), p.Tab...)
}

func (p *player) Read(frame cdproto.FrameID, method string, params, result any) error {
	return p.ReadWithin(p.ctx, frame, method, params, result)
}

func (p *player) Act(cdproto.FrameID, string, any, any) error { return errors.ErrUnsupported }

func (p *player) Run(cdproto.FrameID, cdproto.BackendNodeID, string, []any, any) error {
	return errors.ErrUnsupported
}

func (p *player) RunWithin(context.Context, cdproto.FrameID, []cdproto.BackendNodeID, string, []any, any) error {
	return errors.ErrUnsupported
}

func (p *player) ReadWithin(ctx context.Context, frame cdproto.FrameID, method string, params, result any) error {
	if p.fails != nil {
		return p.fails
	}
	if p.isSilent(frame) {
		<-ctx.Done()
		return ctx.Err()
	}
	key := method + " " + string(frame)
	switch params := params.(type) {
	case *accessibility.GetFullAXTreeParams:
		key = method + " " + string(params.FrameID)
		p.once.Do(func() {
			if p.after != nil {
				p.mu.Lock()
				defer p.mu.Unlock()
				p.after(p)
			}
		})
	case *dom.GetFrameOwnerParams:
		key = method + " " + string(params.FrameID)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked[key]++
	reply, ok := p.Replies[key]
	if !ok {
		return errGone
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(reply, result)
}

// read reads the recorded page.
func (p *player) read(t *testing.T, refs *Refs) *Tree {
	t.Helper()
	tree, err := Read(p, refs, 0)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// write writes a page of a tree.
func write(t *testing.T, tree *Tree, refs *Refs, v View) Written {
	t.Helper()
	if v.Budget == 0 {
		v.Budget = 8000
	}
	v.Next = refs.Next()
	v.Give = func(n *Node) int { return refs.Give("TAB", tree, n) }
	w, err := tree.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func without(replies map[string]json.RawMessage, keys ...string) map[string]json.RawMessage {
	out := maps.Clone(replies)
	for _, key := range keys {
		delete(out, key)
	}
	return out
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text+"\n" != string(want) {
		t.Errorf("%s is not as in %s, which -update writes again:\n%s", t.Name(), file, text)
	}
}

func (p *player) isSilent(frame cdproto.FrameID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.silent[ByID(p.Tab)[frame].Session]
}
