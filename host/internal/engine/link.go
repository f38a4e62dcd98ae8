package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/decode"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/hooks"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/loading"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/netlog"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/screencast"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/timers"
	"github.com/hermes-cdp/hermes-cdp/host/internal/netguard"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Link is the connection to one browser, renewed after a loss, with the state machines of all tasks on it. The
// goroutine that runs Link.run owns every field below "owned by run". Everybody else puts items into the inbox, or
// uses connection.
type Link struct {
	group      *Group
	guard      *netguard.Proxy // nil: none
	Log        *slog.Logger
	connection *connState
	inbox      *inbox
	// Downloads are the directories that the browser saves files to.
	Downloads    download.Directories
	milestones   loading.Milestones
	done         chan struct{}      // closed when run has returned
	work         sync.WaitGroup     // plugin calls and redial
	stop         context.CancelFunc // ends work
	ctx          context.Context
	ids          atomic.Uint64 // of requests
	reconnection reconnection
	frames       screencast.Routes // of the tabs that are recorded

	// owned by run
	conn         *cdp.Conn // the newest one; it may be lost
	state        *supervise.State
	timers       *timers.Set
	tasks        map[string]*Task
	sent         map[int64]supervise.SendCommand // the state machine's own commands, by their ids
	scheduled    *schedule.State                 // decides when callers' commands are sent
	calls        map[schedule.CallID]*Call       // whose callers are waiting
	commands     map[int64]schedule.CallID       // calls by the ids of their commands
	sentAs       map[schedule.CallID]int64       // the inverse of commands
	operations   map[schedule.OpID]*Operation    // that have made a call and are not over
	searches     map[schedule.SearchID]chan located
	asks         map[supervise.Token]context.CancelFunc // questions to modules without an outcome yet
	begun        map[string]*fileQuestion               // those about downloads that run, by the ids of these
	consoleAsks  consoleQueue
	watches      map[Watcher]bool
	loads        loading.Navigations // of tabs, until they commit
	requests     map[supervise.RequestID]chan supervise.Reply
	afterPublish []func() // replies and events, held back until the snapshot that shows their cause is published

	skipped              uint64 // events that earlier connections skipped
	decoded, undecodable uint64 // events

	final Tally // the final counts; set before done is closed
}

// run owns the state: it applies the items of the inbox, carries out the effects, and publishes once per batch.
func (l *Link) run() {
	defer close(l.done)
	l.group.tallies.begin(l)
	l.updateHooks() // after begin, so that no change is missed
	defer l.group.tallies.end(l)
	defer l.flush()
	defer l.timers.Stop()
	for {
		select {
		case <-l.inbox.ready:
		case <-l.timers.C():
		}
		for _, item := range l.inbox.take() {
			if _, ok := item.(shut); ok {
				return
			}
			l.handle(item)
		}
		for {
			token, ok := l.timers.Due(time.Now())
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

// flush delivers replies and events after the snapshots were published: whoever is told of a change finds it in the
// snapshot of the task.
func (l *Link) flush() {
	for _, tell := range l.afterPublish {
		tell()
	}
	clear(l.afterPublish)
	l.afterPublish = l.afterPublish[:0]
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
		l.updateHooks()
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

// apply applies an event to the state machine and carries out the effects. It must not run within [Link.perform].
func (l *Link) apply(event supervise.Event) { l.perform(l.state.Apply(time.Now(), event)) }

// message turns an envelope into an event of the state machine or into the reply to a command.
func (l *Link) message(m cdp.Message) {
	if m.ID == 0 {
		if netlog.Logs(m.Method) {
			l.noteNetwork(m)
			return
		}
		event := l.decodeEvent(m)
		heard := Event{Method: m.Method, Params: m.Params, Decoded: event}
		tab := l.state.PageOf(target.SessionID(m.SessionID))
		l.loads.Note(tab, m, event)
		l.milestones.Note(tab, m, event)
		l.noteLeft(target.SessionID(m.SessionID), event)
		l.observe(heard, target.SessionID(m.SessionID))
		l.notePause(m)
		if event != nil {
			l.apply(event)
		}
		if m.SessionID == "" && (m.Method == download.EventBegan || m.Method == download.EventProgress) {
			l.Downloads.Note(m.Method, m.Params) // after keepDownload has had the chance to hold the file
		}
		return
	}
	if errors.Is(m.Err, cdp.ErrConnectionLost) {
		return // connectionLost follows and tells the callers, once the snapshot shows the loss as well
	}
	// The two state machines send commands on one connection, so their replies share its ids. l.commands has those of
	// package schedule: the callers' own commands. l.sent has those of package supervise.
	if call, ok := l.commands[m.ID]; ok {
		delete(l.commands, m.ID)
		l.callReplied(call, m)
		return
	}
	send, ok := l.sent[m.ID]
	if !ok {
		return
	}
	delete(l.sent, m.ID)
	l.apply(decode.Reply(send, m.Result, m.Err))
}

// decodeEvent decodes an event for the state machine; nil if it takes no events of that method.
func (l *Link) decodeEvent(m cdp.Message) supervise.Event {
	event, err := decode.Event(target.SessionID(m.SessionID), m.Method, m.Params)
	switch {
	case err != nil:
		l.noteUndecodable(m, err)
	case event != nil:
		l.decoded++
	}
	return event
}

// noteUndecodable counts an event that is not what its method promises.
func (l *Link) noteUndecodable(m cdp.Message, err error) {
	l.undecodable++
	l.Log.Warn("event not understood", "method", m.Method, "error", err)
}

// perform carries out the effects of the state machine, in order. What it calls must not call [Link.apply]: the effects
// are in a slice that the state machine uses again for the next event, and they must all be carried out before that. An
// event that comes up here goes through the inbox. It may call [Link.schedule]; see [Link.carryOut].
func (l *Link) perform(effects []supervise.Effect) {
	for _, effect := range effects {
		switch e := effect.(type) {
		case supervise.SendCommand:
			l.sendCommand(e)
		case supervise.AskDialog:
			l.ask(hooks.Dialog(e))
		case supervise.AskFrames:
			l.ask(hooks.Frames(e))
		case supervise.AskBridgeScript:
			l.ask(hooks.BridgeScript(e))
		case supervise.AskBridgeRequest:
			l.ask(hooks.BridgeRequest(e))
		case supervise.AskBridgeReply:
			l.ask(hooks.BridgeReply(e))
		case supervise.AskNavigate:
			l.ask(hooks.Navigate(e))
		case supervise.AskRequest:
			l.askRequest(e)
		case supervise.CheckAddress:
			l.checkAddress(e)
		case supervise.AskConsole:
			l.askConsole(e)
		case supervise.NoteBlocked:
			l.noteBlocked(e)
		case supervise.Withdraw:
			l.withdraw(e.Token)
		case supervise.TellClosed:
			l.tellClosed(e)
		case supervise.Arm:
			l.timers.Arm(e.Timer, e.At)
		case supervise.Disarm:
			l.timers.Disarm(e.Timer)
		case supervise.Reply:
			if reply, ok := l.requests[e.Request]; ok {
				delete(l.requests, e.Request)
				l.afterPublish = append(l.afterPublish, func() { reply <- e })
			}
		case supervise.Interrupt:
			l.schedule(schedule.Interrupted{Interrupt: e})
		case supervise.Notify:
			l.notify(e)
		case supervise.TaskGone:
			l.Log.Warn("the task's browser is gone", "task", e.Task, "reason", e.Reason)
			if t := l.tasks[e.Task]; t != nil {
				l.publish(e.Task)
				l.afterPublish = append(l.afterPublish, t.End)
			}
		case supervise.KeepDownload:
			l.keepDownload(e)
		case supervise.Publish:
			l.publish(e.Task)
		}
	}
}

// sendCommand sends a command of the state machine. One that cannot be sent is treated like one that failed.
func (l *Link) sendCommand(e supervise.SendCommand) {
	id, err := l.conn.Send(string(e.Session), e.Method, e.Params)
	if e.Token == 0 {
		return
	}
	if errors.Is(err, cdp.ErrConnectionLost) {
		return // connectionLost follows
	}
	if err != nil {
		l.inbox.put(supervise.Event(decode.Reply(e, nil, err)))
		return
	}
	l.sent[id] = e
}

// GiveUp ends the tasks on the connection, as if it had been lost and could not be restored.
func (l *Link) GiveUp(reason error) { l.inbox.put(gaveUp{reason}) }

// Close ends the connection and its owner, and waits for both.
func (l *Link) Close() {
	l.stop()
	l.inbox.put(shut{})
	<-l.done
	l.work.Wait()
	for _, item := range l.inbox.take() {
		if made, ok := item.(connected); ok { // run ended before it took this one
			_ = made.conn.Close()
		}
	}
	_ = l.conn.Close() // it only reports that we closed it
}

// Go runs work in the background. Only Close waits for it, and cancels its context.
func (l *Link) Go(work func(context.Context)) { l.work.Go(func() { work(l.ctx) }) }
