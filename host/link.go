package host

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// link is one connection to a browser with the state machine of all tasks on it. The goroutine that runs [link.run] owns
// every field below "owned by run"; everybody else puts items into the inbox.
type link struct {
	host  *Host
	log   *slog.Logger
	conn  *cdp.Conn
	inbox *inbox
	done  chan struct{} // closed when run has returned
	asks  sync.WaitGroup
	stop  context.CancelFunc // ends the plugin calls under way
	ctx   context.Context
	ids   atomic.Uint64 // of requests

	// owned by run
	state      *supervise.State
	timers     *timers
	tasks      map[string]*Task
	sent       map[int64]supervise.Send
	calls      map[int64]*call
	committing []*call // navigations that the browser has answered, but not committed yet
	held       []*call // for a page that has to be left alone for a moment
	requests   map[supervise.RequestID]chan supervise.Reply
	later      []func() // replies and events, kept back until the snapshot that has their cause is published
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

// newLink wires a connection to an owner. Dial opens the connection with the given options.
func newLink(h *Host, dial func(cdp.Options) (*cdp.Conn, error)) (*link, error) {
	l := &link{
		host: h, log: h.log, inbox: newInbox(), done: make(chan struct{}),
		state:  supervise.New(supervise.Config{DialogTimeout: h.options.DialogTimeout}),
		timers: newTimers(), tasks: map[string]*Task{}, sent: map[int64]supervise.Send{}, calls: map[int64]*call{},
		requests: map[supervise.RequestID]chan supervise.Reply{},
	}
	conn, err := dial(cdp.Options{
		Logger: h.log, ReadLimit: h.options.ReadLimit,
		Handler: func(m cdp.Message) { l.inbox.put(m) },
		OnClose: func(err error) { l.inbox.put(lost{err}) },
	})
	if err != nil {
		return nil, err
	}
	l.conn = conn
	l.ctx, l.stop = context.WithCancel(context.Background())
	for method := range decoders {
		conn.Subscribe(method)
	}
	go l.run()
	return l, nil
}

// start attaches to the browser: discovery for the state of all targets, and auto-attach in page mode, which reaches
// every tab and popup before its first script.
func (l *link) start(ctx context.Context) error {
	if err := l.conn.Call(ctx, "", target.CommandSetDiscoverTargets, &target.SetDiscoverTargetsParams{Discover: true, Filter: pageFilter()}, nil); err != nil {
		return fmt.Errorf("discover targets: %w", err)
	}
	on := true
	if err := l.conn.Call(ctx, "", target.CommandSetAutoAttach, &target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &on, Filter: pageFilter(),
	}, nil); err != nil {
		return fmt.Errorf("attach to the browser's pages: %w", err)
	}
	return nil
}

// pageFilter is page mode: tabs and popups, and the shared workers, which no page announces. Service workers come from the
// sessions of the pages that they serve; here they would come once more.
func pageFilter() target.Filter {
	return target.Filter{{Type: "page"}, {Type: "shared_worker"}, {Exclude: true}}
}

// run owns the state: it applies what the inbox brings, does what the state asks for, and publishes once per batch.
func (l *link) run() {
	defer close(l.done)
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
		l.finishCommitted()
		l.startHeld()
		l.perform(l.state.Settle(time.Now()))
		l.flush()
	}
}

// flush tells callers and subscribers what happened: who is told of something finds it in the task's snapshot.
func (l *link) flush() {
	for _, tell := range l.later {
		tell()
	}
	clear(l.later)
	l.later = l.later[:0]
}

func (l *link) handle(item any) {
	switch it := item.(type) {
	case cdp.Message:
		l.message(it)
	case supervise.Event:
		l.apply(it)
	case request:
		l.requests[it.id] = it.reply
		l.apply(it.event)
	case *call:
		l.startCall(it)
	case abandon:
		it.call.abandoned = true
		delete(l.calls, it.call.id)
	case register:
		l.tasks[it.task.id] = it.task
	case unregister:
		l.forget(it.task)
	case lost:
		l.connectionLost(it.err)
	}
}

func (l *link) apply(event supervise.Event) { l.perform(l.state.Apply(time.Now(), event)) }

// message turns an envelope into an event of the state machine, or into the reply to a call.
func (l *link) message(m cdp.Message) {
	if m.ID == 0 {
		event, err := decoders[m.Method](target.SessionID(m.SessionID), m.Params)
		if err != nil {
			l.log.Warn("event not understood", "method", m.Method, "error", err)
			return
		}
		l.apply(event)
		return
	}
	if c, ok := l.calls[m.ID]; ok {
		l.answered(c, m)
		return
	}
	send, ok := l.sent[m.ID]
	if !ok {
		return
	}
	delete(l.sent, m.ID)
	l.apply(commandReply(send, m))
}

func commandReply(send supervise.Send, m cdp.Message) supervise.CommandReply {
	reply := supervise.CommandReply{Token: send.Token}
	err := m.Err
	if err == nil {
		switch send.Want {
		case supervise.WantTarget:
			var r target.CreateTargetResult
			err = unmarshal(m.Result, &r)
			reply.Target = r.TargetID
		case supervise.WantFrames:
			var r page.GetFrameTreeResult
			err = unmarshal(m.Result, &r)
			reply.Frames = flatten(r.FrameTree, nil)
		case supervise.WantNothing:
		}
	}
	if err != nil {
		reply.Err = commandError(err)
	}
	return reply
}

// perform does what the state machine asks for, in order.
func (l *link) perform(effects []supervise.Effect) {
	for _, effect := range effects {
		switch e := effect.(type) {
		case supervise.Send:
			l.send(e)
		case supervise.AskDialog:
			l.askDialog(e)
		case supervise.AskFrames:
			l.askFrames(e)
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
			l.interrupt(e)
		case supervise.Notify:
			l.notify(e)
		case supervise.Publish:
			l.publish(e.Task)
		}
	}
}

// send writes a command. One that can not be written is answered like one that failed; the connection is then ending.
func (l *link) send(e supervise.Send) {
	id, err := l.conn.Send(string(e.Session), e.Method, e.Params)
	if e.Token == 0 {
		return
	}
	if err != nil {
		l.inbox.put(supervise.Event(supervise.CommandReply{Token: e.Token, Err: commandError(err)}))
		return
	}
	l.sent[id] = e
}

func (l *link) notify(e supervise.Notify) {
	l.logNotice(e)
	if t := l.tasks[e.Task]; t != nil {
		l.later = append(l.later, func() { t.hub.publish(publicEvent(e)) })
	}
}

// logNotice logs decisions with their provenance, and never what a page said.
func (l *link) logNotice(e supervise.Notify) {
	switch e.Kind {
	case supervise.NotifyFault:
		l.log.Warn("plugin fault, the fallback decides", "task", e.Task, "dialog", e.Dialog.ID, "fault", e.Fault)
	case supervise.NotifyDialogClosed:
		d, by := e.Dialog, e.Dialog.Decision
		l.log.Info("dialog closed", "task", e.Task, "dialog", d.ID, "type", d.Type, "closed_by", d.ClosedBy, "reason", d.CloseReason,
			"module", by.Module, "sha256", by.SHA256, "call", by.Sequence, "rule", by.Rule, "open_for", d.ClosedAt.Sub(d.OpenedAt))
	case supervise.NotifyTargetCrashed:
		l.log.Warn("a tab crashed", "task", e.Task, "target", e.Target.ID)
	}
}

func (l *link) publish(task string) {
	t := l.tasks[task]
	if view, ok := l.state.View(task); ok && t != nil {
		t.publish(newSnapshot(view))
	}
}

// forget ends what a task offers to its readers.
func (l *link) forget(t *Task) {
	if l.tasks[t.id] == t {
		delete(l.tasks, t.id)
	}
	t.end()
}

func (l *link) connectionLost(err error) {
	l.log.Info("connection to the browser ended", "reason", err)
	l.apply(supervise.ConnectionLost{Reason: err.Error()})
	for id, c := range l.calls {
		delete(l.calls, id)
		l.finish(c, nil, fmt.Errorf("%w: %w", ErrDisconnected, err))
	}
	clear(l.sent)
	l.perform(l.state.Settle(time.Now()))
	l.flush()
	for _, t := range l.tasks {
		t.end()
	}
}

// request asks the state machine and waits for its reply.
func (l *link) request(ctx context.Context, event func(supervise.RequestID) supervise.Event) (supervise.Reply, error) {
	id := supervise.RequestID(l.ids.Add(1))
	reply := make(chan supervise.Reply, 1)
	l.inbox.put(request{id: id, event: event(id), reply: reply})
	select {
	case r := <-reply:
		return r, nil
	case <-ctx.Done():
		return supervise.Reply{}, context.Cause(ctx)
	case <-l.done:
		return supervise.Reply{}, ErrClosed
	}
}

// alive tells whether the connection still stands.
func (l *link) alive() bool {
	select {
	case <-l.conn.Done():
		return false
	default:
		return true
	}
}

// close ends the connection and its owner, and waits for both.
func (l *link) close() {
	l.stop()
	_ = l.conn.Close() // the reason it would return is our own closing
	l.inbox.put(shut{})
	<-l.done
	l.asks.Wait()
}
