package page

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// corpusBrowser starts a browser that reaches nothing but this machine.
func corpusBrowser(t testing.TB) *cdp.Conn {
	t.Helper()
	process, err := browser.Launch(t.Context(), browser.LaunchOptions{
		Executable: os.Getenv("HERMES_CDP_BROWSER_EXECUTABLE"),
		Args:       []string{"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	r, w := process.Pipe()
	conn := cdp.NewPipe(r, w, cdp.Options{Handler: func(cdp.Message) {}})
	t.Cleanup(func() {
		_ = conn.Close()
		<-conn.Done()
		if err := process.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return conn
}

// corpusTab is a tab with the frames of one process.
type corpusTab struct {
	ctx     context.Context
	conn    *cdp.Conn
	session string
	tab     cdproto.FrameID
	guard   *sync.Mutex // guards worlds
	worlds  map[cdproto.FrameID]int
	name    string // of the worlds
}

// quieten keeps a page from opening what stops its scripts.
const quieten = `alert = print = () => {}; confirm = () => false; prompt = () => null; open = () => null`

func newCorpusTab(ctx context.Context, conn *cdp.Conn) (*corpusTab, error) {
	var made struct {
		TargetID  cdproto.FrameID `json:"targetId"`
		SessionID string          `json:"sessionId"`
	}
	c := &corpusTab{ctx: ctx, conn: conn, guard: &sync.Mutex{}, worlds: map[cdproto.FrameID]int{}}
	if err := conn.Call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &made); err != nil {
		return nil, err
	}
	c.tab = made.TargetID
	if err := conn.Call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made); err != nil {
		return nil, err
	}
	c.session = made.SessionID
	return c, errors.Join(c.call("Page.enable", nil, nil), c.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil),
		c.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": quieten}, nil))
}

func (c *corpusTab) call(method string, params, result any) error {
	return c.conn.Call(c.ctx, c.session, method, params, result)
}

// load shows a page until all of it is there.
func (c *corpusTab) load(url string) error {
	var moved struct {
		Error string `json:"errorText"`
	}
	clear(c.worlds)
	if err := c.call("Page.navigate", map[string]any{"url": url}, &moved); err != nil {
		return err
	}
	if moved.Error != "" {
		return errors.New(moved.Error)
	}
	loaded := `new Promise(done => document.readyState === "complete" ? done(0) : addEventListener("load", () => done(0)))`
	var err error
	for range 5 { // some pages go on to another
		if err = c.call("Runtime.evaluate", map[string]any{"expression": loaded, "awaitPromise": true}, nil); err == nil {
			return nil
		}
	}
	return err
}

func (c *corpusTab) Context() context.Context { return c.ctx }
func (c *corpusTab) Target() string           { return string(c.tab) }
func (c *corpusTab) Ends(error) bool          { return false }

func (c *corpusTab) Frames() []Frame {
	type tree struct {
		Frame struct {
			ID     cdproto.FrameID  `json:"id"`
			Parent cdproto.FrameID  `json:"parentId"`
			Loader cdproto.LoaderID `json:"loaderId"`
			URL    string           `json:"url"`
		} `json:"frame"`
		Children []json.RawMessage `json:"childFrames"`
	}
	var all struct {
		Tree json.RawMessage `json:"frameTree"`
	}
	if c.call("Page.getFrameTree", nil, &all) != nil {
		return nil
	}
	var frames []Frame
	var visit func(data json.RawMessage)
	visit = func(data json.RawMessage) {
		var one tree
		if json.Unmarshal(data, &one) != nil {
			return
		}
		f := one.Frame
		frames = append(frames, Frame{ID: f.ID, Parent: f.Parent, Document: f.Loader, URL: f.URL, Session: c.session})
		for _, child := range one.Children {
			visit(child)
		}
	}
	visit(all.Tree)
	return frames
}

func (c *corpusTab) Read(frame cdproto.FrameID, method string, params, result any) error {
	return c.ReadWithin(c.ctx, frame, method, params, result)
}

func (c *corpusTab) Act(frame cdproto.FrameID, method string, params, result any) error {
	return c.Read(frame, method, params, result)
}

func (c *corpusTab) Run(cdproto.FrameID, cdproto.BackendNodeID, string, []any, any) error {
	return errors.ErrUnsupported
}

func (c *corpusTab) ReadWithin(ctx context.Context, _ cdproto.FrameID, method string, params, result any) error {
	return c.conn.Call(ctx, c.session, method, params, result)
}

func (c *corpusTab) RunWithin(ctx context.Context, frame cdproto.FrameID, nodes []cdproto.BackendNodeID, function string, args []any, result any) error {
	values, err := json.Marshal(append([]any{}, args...))
	if err != nil {
		return err
	}
	world, err := c.world(ctx, cmp.Or(frame, c.tab))
	if err != nil {
		return err
	}
	arguments := []map[string]any{}
	for _, node := range nodes {
		var resolved struct {
			Object struct {
				ID string `json:"objectId"`
			} `json:"object"`
		}
		params := map[string]any{"backendNodeId": node, "executionContextId": world, "objectGroup": Looks}
		argument := map[string]any{}
		if c.ReadWithin(ctx, frame, "DOM.resolveNode", params, &resolved) == nil {
			argument["objectId"] = resolved.Object.ID
		}
		arguments = append(arguments, argument)
	}
	params := map[string]any{
		"functionDeclaration": "(...nodes) => (" + function + ")(nodes, ..." + string(values) + ")", "executionContextId": world,
		"arguments": arguments, "objectGroup": Looks,
	}
	var r struct {
		Result struct {
			Value json.RawMessage `json:"value"`
			Deep  DescribedNodes  `json:"deepSerializedValue"`
		} `json:"result"`
		Thrown json.RawMessage `json:"exceptionDetails"`
	}
	list, wantsNodes := result.(*[]Described)
	if wantsNodes {
		params["serializationOptions"] = map[string]any{
			"serialization": "deep", "maxDepth": 2, "additionalParameters": map[string]any{"maxNodeDepth": 0, "includeShadowTree": "all"},
		}
	} else {
		params["returnByValue"] = true
	}
	err = c.ReadWithin(ctx, frame, "Runtime.callFunctionOn", params, &r)
	switch {
	case err != nil:
		return err
	case r.Thrown != nil:
		return errors.New(string(r.Thrown))
	case wantsNodes:
		*list = r.Result.Deep.List()
		return nil
	case result == nil:
		return nil
	}
	return json.Unmarshal(r.Result.Value, result)
}

func (c *corpusTab) world(ctx context.Context, frame cdproto.FrameID) (int, error) {
	c.guard.Lock()
	defer c.guard.Unlock()
	if c.worlds[frame] == 0 {
		var made struct {
			ID int `json:"executionContextId"`
		}
		if err := c.ReadWithin(ctx, frame, "Page.createIsolatedWorld", map[string]any{"frameId": frame, "worldName": "test" + c.name}, &made); err != nil {
			return 0, err
		}
		c.worlds[frame] = made.ID
	}
	return c.worlds[frame], nil
}
