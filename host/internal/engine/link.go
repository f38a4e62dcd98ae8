package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
	"github.com/hermes-cdp/hermes-cdp/host/view"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Link is the way to one browser, over one connection at a time, with the state machine of all tasks on it. The goroutine
// that runs [Link.run] owns every field below "owned by run"; everybody else puts items into the inbox, or uses line.
type Link struct {
	group      *Group
	Log        *slog.Logger
	connection *connState
	inbox      *inbox
	// downloads are the folders into which the browser puts files.
	Downloads download.Folders
	done      chan struct{}      // closed when run has returned
	work      sync.WaitGroup     // plugin calls, and redial
	stop      context.CancelFunc // ends these
	ctx       context.Context
	ids       atomic.Uint64 // of requests
	again     reconnection
	frames    pictureRoutes // of tabs that are recorded

	// owned by run
	conn       *cdp.Conn // the newest, which may be lost
	state      *supervise.State
	timers     *timers
	tasks      map[string]*Task
	sent       map[int64]supervise.Send
	scheduled  *schedule.State              // of the callers' commands
	calls      map[schedule.CallID]*Call    // whose callers wait
	commands   map[int64]schedule.CallID    // that were sent for calls
	sentAs     map[schedule.CallID]int64    // the same the other way round
	operations map[schedule.OpID]*Operation // that have made a call, and are not over
	searches   map[schedule.SearchID]chan located
	asks       map[supervise.Token]context.CancelFunc // of modules, whose outcome is waited for
	watches    map[Watcher]bool
	requests   map[supervise.RequestID]chan supervise.Reply
	later      []func() // replies and events, kept back until the snapshot that has their cause is published

	skipped              uint64 // events that earlier connections skipped
	decoded, undecodable uint64 // events; owned by run

	final Tally // what was counted; set before done is closed
}

// The items of the inbox, beside cdp.Message and supervise.Event.
type (
	// request is an event whose Reply somebody waits for.
	request struct {
		id    supervise.RequestID
		event supervise.Event
		reply chan supervise.Reply
	}
	// register makes a task known before it is added to the state machine.
	register struct{ task *Task }
	// unregister forgets a task.
	unregister struct{ task *Task }
	// lost is the end of the connection.
	lost struct{ err error }
	// shut ends the owner.
	shut struct{}
)

// Attach connects to a browser that is already running, at an address that led to resolved.
func (g *Group) Attach(ctx context.Context, address, resolved string) (*Link, error) {
	dial := func(ctx context.Context, o cdp.Options) (*cdp.Conn, error) { return cdp.Dial(ctx, resolved, o) }
	return connect(ctx, g, dial, redialAddress(address, resolved))
}

// Adopt connects to a browser that was launched.
func (g *Group) Adopt(ctx context.Context, process *browser.Process) (*Link, error) {
	return connect(ctx, g, dialProcess(process), redialProcess(process))
}

// Alive tells whether there is a connection, or may be one again.
func (l *Link) Alive() bool { return l.connection.alive() }

// connect opens a connection to a browser and attaches to all that is there. Dial opens it, and again opens it after a loss;
// with a nil again a loss is the end.
func connect(ctx context.Context, g *Group, dial, again dialer) (*Link, error) {
	l, err := newLink(ctx, g, dial, again)
	if err != nil {
		return nil, err
	}
	if err := l.start(ctx, l.conn); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// newLink wires a connection to an owner. Dial opens the connection, and again opens it after a loss; with a nil again a
// loss is the end.
func newLink(ctx context.Context, g *Group, dial, again dialer) (*Link, error) {
	l := &Link{
		group: g, Log: g.log, connection: newConnState(), inbox: newInbox(), done: make(chan struct{}),
		again:  reconnection{dial: again, timeout: g.options.ReconnectTimeout, since: time.Now()},
		state:  supervise.New(supervise.Config{DialogTimeout: g.options.DialogTimeout, NavigateFailClosed: g.options.NavigateFailClosed, DialogFailClosed: g.options.DialogFailClosed, Schemes: g.options.Schemes}),
		timers: newTimers(), tasks: map[string]*Task{}, sent: map[int64]supervise.Send{},
		calls: map[schedule.CallID]*Call{}, commands: map[int64]schedule.CallID{}, sentAs: map[schedule.CallID]int64{},
		operations: map[schedule.OpID]*Operation{}, searches: map[schedule.SearchID]chan located{},
		requests: map[supervise.RequestID]chan supervise.Reply{},
		asks:     map[supervise.Token]context.CancelFunc{},
		watches:  map[Watcher]bool{},
	}
	l.scheduled = schedule.New(l.state)
	conn, err := dial(ctx, l.options())
	if err != nil {
		return nil, err
	}
	l.conn = conn
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.subscribe(conn)
	l.connection.setUp(conn)
	go l.run()
	return l, nil
}

// options are those of every connection of the link.
func (l *Link) options() cdp.Options {
	o := l.group.options
	return cdp.Options{
		Logger: l.Log, ReadLimit: o.ReadLimit,
		PingInterval: o.PingInterval, PingTimeout: o.PingTimeout, Heartbeat: o.Heartbeat,
		Handler: func(m cdp.Message) {
			if !l.frames.take(m) {
				l.inbox.putMessage(m)
			}
		},
		OnClose: func(err error) { l.inbox.put(lost{err}) },
	}
}

func (l *Link) subscribe(conn *cdp.Conn) {
	for method := range decoders {
		conn.Subscribe(method)
	}
	conn.Subscribe(watched...)
	conn.Subscribe(eventFrame)
}

// start attaches to the browser: discovery for the state of all targets, and auto-attach in page mode, which reaches
// every tab and popup before its first script. The browser announces all that is there before it replies.
func (l *Link) start(ctx context.Context, conn *cdp.Conn) error {
	if err := conn.Call(ctx, "", target.CommandSetDiscoverTargets, &target.SetDiscoverTargetsParams{Discover: true, Filter: pageFilter()}, nil); err != nil {
		return fmt.Errorf("discover targets: %w", err)
	}
	l.inbox.put(supervise.Event(supervise.Discovered{}))
	on := true
	if err := conn.Call(ctx, "", target.CommandSetAutoAttach, &target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &on, Filter: pageFilter(),
	}, nil); err != nil {
		return fmt.Errorf("attach to the browser's pages: %w", err)
	}
	l.inbox.put(supervise.Event(supervise.Reconnected{}))
	return nil
}

// pageFilter is page mode: tabs and popups, and the shared workers, which no page announces. Service workers come from the
// sessions of the pages that they serve; here they would come once more.
func pageFilter() target.Filter {
	return target.Filter{{Type: "page"}, {Type: "shared_worker"}, {Exclude: true}}
}

// run owns the state: it applies what the inbox brings, does what the state asks for, and publishes once per batch.
func (l *Link) run() {
	defer close(l.done)
	l.group.tallies.begin(l)
	l.learnHooks() // after begin, so that no change is missed
	defer l.group.tallies.end(l)
	defer l.flush()
	defer l.timers.stop()
	for {
		select {
		case <-l.inbox.ready:
		case <-l.timers.timer.C:
		}
		for _, item := range l.inbox.take() {
			if _, ok := item.(shut); ok {
				return
			}
			l.handle(item)
		}
		for {
			token, ok := l.timers.due(time.Now())
			if !ok {
				break
			}
			l.apply(supervise.Tick{Timer: token})
		}
		l.carryOut(l.scheduled.Settle(time.Now()))
		l.perform(l.state.Settle(time.Now()))
		l.flush()
	}
}

// flush tells callers and subscribers what happened: who is told of something finds it in the task's snapshot.
func (l *Link) flush() {
	for _, tell := range l.later {
		tell()
	}
	clear(l.later)
	l.later = l.later[:0]
}

func (l *Link) handle(item any) {
	switch it := item.(type) {
	case cdp.Message:
		l.message(it)
	case supervise.Event:
		l.apply(it)
	case request:
		l.requests[it.id] = it.reply
		l.apply(it.event)
	case *Call:
		l.begin(it)
	case abandon:
		l.abandon(it.call)
	case find:
		l.searches[it.Search] = it.reply
		l.schedule(it.Find)
	case stopFinding:
		delete(l.searches, it.search)
		l.schedule(schedule.StopFinding{Search: it.search})
	case schedule.Event:
		l.schedule(it)
	case operationOver:
		l.schedule(schedule.OpOver{Op: it.op})
		delete(l.operations, it.op)
	case onOwner:
		it()
	case register:
		l.tasks[it.task.id] = it.task
	case unregister:
		l.forget(it.task)
	case hooksChanged:
		l.learnHooks()
	case lost:
		l.connectionLost(it.err)
	case connected:
		l.skipped += uint64(l.conn.Stats().Skipped)
		l.conn = it.conn
	case restored:
		l.reconnected(it.conn)
	case gaveUp:
		l.group.reconnects.failures.Add(1)
		l.end(it.err)
	}
}

func (l *Link) apply(event supervise.Event) { l.perform(l.state.Apply(time.Now(), event)) }

// message turns an envelope into an event of the state machine, or into the reply to a call.
func (l *Link) message(m cdp.Message) {
	if m.ID == 0 {
		event := l.decode(m)
		l.observe(Event{Method: m.Method, Params: m.Params, Decoded: event}, target.SessionID(m.SessionID))
		l.notePause(m)
		if event != nil {
			l.apply(event)
		}
		return
	}
	if errors.Is(m.Err, cdp.ErrConnectionLost) {
		return // who waits is told by connectionLost, which follows, when the snapshot says so too
	}
	if call, ok := l.commands[m.ID]; ok {
		delete(l.commands, m.ID)
		l.answered(call, m)
		return
	}
	send, ok := l.sent[m.ID]
	if !ok {
		return
	}
	delete(l.sent, m.ID)
	l.apply(commandReply(send, m))
}

// decode gives an event as the state machine takes it; nil where it takes none of that method.
func (l *Link) decode(m cdp.Message) supervise.Event {
	decode, ok := decoders[m.Method]
	if !ok {
		return nil
	}
	event, err := decode(target.SessionID(m.SessionID), m.Params)
	if err != nil {
		l.undecodable++
		l.Log.Warn("event not understood", "method", m.Method, "error", err)
		return nil
	}
	l.decoded++
	return event
}

func commandReply(send supervise.Send, m cdp.Message) supervise.CommandReply {
	reply := supervise.CommandReply{Token: send.Token}
	err := m.Err
	if err == nil {
		switch send.Want {
		case supervise.WantTarget:
			var r target.CreateTargetResult
			err = cdp.Unmarshal(m.Result, &r)
			reply.Target = r.TargetID
		case supervise.WantSession:
			var r target.AttachToTargetResult
			err = cdp.Unmarshal(m.Result, &r)
			reply.Session = r.SessionID
		case supervise.WantInfo:
			r := target.GetTargetInfoResult{TargetInfo: &reply.Info}
			err = cdp.Unmarshal(m.Result, &r)
		case supervise.WantFrames:
			var r cdppage.GetFrameTreeResult
			err = cdp.Unmarshal(m.Result, &r)
			reply.Frames = flatten(r.FrameTree, nil)
		case supervise.WantText:
			reply.Text, err = textResult(m.Result)
		case supervise.WantOwner:
			var r dom.GetFrameOwnerResult
			err = cdp.Unmarshal(m.Result, &r)
			reply.Owner = r.BackendNodeID
		case supervise.WantAttributes:
			reply.Attributes, err = nodeAttributes(m.Result)
		case supervise.WantNothing:
		}
	}
	if err != nil {
		reply.Err = commandError(err)
	}
	return reply
}

// perform does what the state machine asks for, in order.
func (l *Link) perform(effects []supervise.Effect) {
	for _, effect := range effects {
		switch e := effect.(type) {
		case supervise.Send:
			l.send(e)
		case supervise.AskDialog:
			l.askDialog(e)
		case supervise.AskFrames:
			l.askFrames(e)
		case supervise.AskBridgeScript:
			l.askBridgeScript(e)
		case supervise.AskBridgeRequest:
			l.askBridgeRequest(e)
		case supervise.AskBridgeReply:
			l.askBridgeReply(e)
		case supervise.AskNavigate:
			l.askNavigate(e)
		case supervise.Withdraw:
			l.withdraw(e.Token)
		case supervise.TellClosed:
			l.tellClosed(e)
		case supervise.Arm:
			l.timers.arm(e.Timer, e.At)
		case supervise.Disarm:
			l.timers.disarm(e.Timer)
		case supervise.Reply:
			if reply, ok := l.requests[e.Request]; ok {
				delete(l.requests, e.Request)
				l.later = append(l.later, func() { reply <- e })
			}
		case supervise.Interrupt:
			l.schedule(schedule.Interrupted{Interrupt: e})
		case supervise.Notify:
			l.notify(e)
		case supervise.TaskGone:
			l.Log.Warn("the task's browser is gone", "task", e.Task, "reason", e.Reason)
			if t := l.tasks[e.Task]; t != nil {
				l.publish(e.Task)
				l.later = append(l.later, t.End)
			}
		case supervise.Publish:
			l.publish(e.Task)
		}
	}
}

// send writes a command. One that can not be written is answered like one that failed.
func (l *Link) send(e supervise.Send) {
	id, err := l.conn.Send(string(e.Session), e.Method, e.Params)
	if e.Token == 0 {
		return
	}
	if errors.Is(err, cdp.ErrConnectionLost) {
		return // likewise
	}
	if err != nil {
		l.inbox.put(supervise.Event(supervise.CommandReply{Token: e.Token, Err: commandError(err)}))
		return
	}
	l.sent[id] = e
}

func (l *Link) notify(e supervise.Notify) {
	l.logNotice(e)
	if t := l.tasks[e.Task]; t != nil {
		l.later = append(l.later, func() { t.observer.Publish(view.EventOf(e)) })
	}
}

// logNotice logs decisions with their provenance, and never what a page said.
func (l *Link) logNotice(e supervise.Notify) {
	switch e.Kind {
	case supervise.NotifyFault:
		l.Log.Warn("plugin fault, the fallback decides", "task", e.Task, "dialog", e.Dialog.ID, "fault", e.Fault)
	case supervise.NotifyDialogClosed:
		d, by := e.Dialog, e.Dialog.Decision
		l.Log.Info("dialog closed", "task", e.Task, "dialog", d.ID, "type", d.Type, "closed_by", d.ClosedBy, "reason", d.CloseReason,
			"module", by.Module, "sha256", by.SHA256, "call", by.Sequence, "rule", by.Rule, "open_for", d.ClosedAt.Sub(d.OpenedAt))
	case supervise.NotifyBridged:
		l.Log.Warn("dialogs go through the bridge from now on", "task", e.Task, "reason", e.Fault)
	case supervise.NotifyNavigationDenied:
		l.logDenial(e)
	case supervise.NotifyTargetCrashed:
		l.Log.Warn("a tab crashed", "task", e.Task, "target", e.Target.ID)
	}
}

func (l *Link) publish(task string) {
	t := l.tasks[task]
	if v, ok := l.state.View(task); ok && t != nil {
		t.Publish(view.NewSnapshot(v, t.Snapshot()))
	}
}

// forget ends what a task offers to its readers.
func (l *Link) forget(t *Task) {
	if l.tasks[t.id] == t {
		delete(l.tasks, t.id)
	}
	t.End()
}

// connectionLost ends what was under way, and begins to have the connection back where that is to be.
func (l *Link) connectionLost(err error) {
	l.Log.Info("connection to the browser ended", "reason", err)
	if !l.connection.alive() {
		return
	}
	l.connection.setDown()
	clear(l.sent)
	if l.again.dial == nil || l.again.timeout < 0 || l.ctx.Err() != nil {
		l.end(err)
		return
	}
	l.apply(supervise.ConnectionLost{Reason: err.Error(), Reconnecting: true})
	l.failCalls()
	l.beginRedial()
}

// end tells everybody that there will be no connection any more, once: a stop may meet an attempt to reconnect that fails.
func (l *Link) end(err error) {
	if !l.connection.setEnded() {
		return
	}
	l.apply(supervise.ConnectionLost{Reason: err.Error()})
	l.failCalls()
	l.perform(l.state.Settle(time.Now()))
	l.flush()
	for _, t := range l.tasks {
		t.End()
	}
}

// failCalls ends the calls that the browser was asked for.
func (l *Link) failCalls() {
	clear(l.commands)
	clear(l.sentAs)
	l.schedule(schedule.ConnectionLost{})
}

// onOwner runs on the goroutine that owns the link.
type onOwner func()

// ask puts a question about what the link's owner alone may look at; ok is false where it has ended.
func ask[T any](l *Link, question func() T) (answer T, ok bool) {
	reply := make(chan T, 1)
	l.inbox.put(onOwner(func() { reply <- question() }))
	select {
	case answer = <-reply:
		return answer, true
	case <-l.done:
		return answer, false
	}
}

// request asks the state machine and waits for its reply.
func (l *Link) request(ctx context.Context, event func(supervise.RequestID) supervise.Event) (supervise.Reply, error) {
	id := supervise.RequestID(l.ids.Add(1))
	reply := make(chan supervise.Reply, 1)
	l.inbox.put(request{id: id, event: event(id), reply: reply})
	select {
	case r := <-reply:
		return r, nil
	case <-ctx.Done():
		return supervise.Reply{}, context.Cause(ctx)
	case <-l.done:
		return supervise.Reply{}, fault.ErrClosed
	}
}

// Close ends the connection and its owner, and waits for both.
func (l *Link) Close() {
	l.stop()
	l.inbox.put(shut{})
	<-l.done
	l.work.Wait()
	for _, item := range l.inbox.take() {
		if made, ok := item.(connected); ok { // that run did not take any more
			_ = made.conn.Close()
		}
	}
	_ = l.conn.Close() // the reason it would return is our own closing
}

// Go does work that nobody waits for but the end of the link, which ends the context.
func (l *Link) Go(work func(context.Context)) { l.work.Go(func() { work(l.ctx) }) }
