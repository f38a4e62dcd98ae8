package supervise

import (
	"cmp"
	"maps"
	"slices"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// Config holds the settings that all tasks of a connection share. The zero value of every field is usable.
type Config struct {
	// DialogTimeout is when a dialog is dismissed if neither the task nor the plugin sets a timeout. Default 300 s.
	DialogTimeout time.Duration
	// MaxDialogTimeout is the longest timeout that a plugin may set. Default 24 h.
	MaxDialogTimeout time.Duration
	// AnswerTimeout is how long the browser has to confirm an answer before the answer counts as failed. Default 5 s.
	AnswerTimeout time.Duration
	// AskTimeout is how long a plugin has to decide before the fallback does. It is the last resort in case the plugin
	// runtime misses its own deadline. Default 5 s.
	AskTimeout time.Duration
	// StuckTimeout is how long an adopted tab may stay silent before the host assumes that a dialog from before the
	// connection blocks it; three times as long if none is known. Default 3 s.
	StuckTimeout time.Duration
	// LeaveTimeout bounds each step of removing a task. Default 2 s.
	LeaveTimeout time.Duration
	// NavigateFailClosed denies navigations on which a plugin failed to decide.
	NavigateFailClosed bool
	// RequestFailClosed blocks requests on which a plugin failed to decide.
	RequestFailClosed bool
	// DialogFailClosed dismisses dialogs on which a plugin failed to decide, whatever an agent answered.
	DialogFailClosed bool
	// Schemes decides which documents may be shown, by the scheme of their URL.
	Schemes scheme.Policy
	// Proxy is the proxy that the browser was started with; zero: none that asks for a password.
	Proxy ProxyLogin
	// MaxPopups is how many open tabs of a task pages may have opened. Default 50.
	MaxPopups int
	// FallbackFrames is how many frames of a tree are shown if no plugin filtered it. Default 500.
	FallbackFrames int
	// FallbackDepth is how many levels below the top frame are shown of such a tree. Default 10.
	FallbackDepth int
}

func (c Config) withDefaults() Config {
	setDefault(&c.DialogTimeout, 300*time.Second)
	setDefault(&c.MaxDialogTimeout, 24*time.Hour)
	setDefault(&c.AnswerTimeout, 5*time.Second)
	setDefault(&c.AskTimeout, 5*time.Second)
	setDefault(&c.StuckTimeout, 3*time.Second)
	setDefault(&c.LeaveTimeout, 2*time.Second)
	setDefault(&c.MaxPopups, 50)
	setDefault(&c.FallbackFrames, 500)
	setDefault(&c.FallbackDepth, 10)
	return c
}

func setDefault[T int | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// State is everything known about one browser connection. One goroutine owns it.
type State struct {
	config        Config
	now           time.Time // the time of the event being applied
	effects       []Effect
	token         Token
	lost          string // why the connection ended for good; empty while it has not
	connection    connection
	down          string      // why the connection is down at the moment; see lost.go
	attempt       int         // reconnection attempts so far
	closeOnReturn []target.ID // tabs to close after reconnecting
	counters      Counters

	tasks     map[string]*task
	taskOrder []*task
	targets   map[target.ID]target.Info // all targets of the browser, from target discovery
	sessions  map[target.SessionID]*session
	frames    map[cdproto.FrameID]*frame // of all tabs
	undecided []*session                 // attached while Target.createTarget is in flight, which may have created them
	creating  int                        // how many Target.createTarget are in flight
	asides    int                        // how many of them are for a task in the browser context of another

	attaching map[target.ID]*attaching // attachments of agents' sessions in flight, by target
	opening   map[RequestID]bool       // OpenTab requests in flight

	commands map[Token]command
	inFlight map[target.SessionID][]Token // of commands, oldest first
	timers   map[Token]func()
	asks     map[Token]ask

	bridgeAsks map[Token]bridgeAsk

	proxyKnows map[cdproto.BrowserContextID]bool // contexts whose password the proxy has had

	navigateHook bool // a module serves the navigate hook
	navigateAsks map[Token]*navigation
	requestHook  bool // a module serves the request hook
	consoleHook  bool // a module serves the console hook
	requestAsks  map[Token]*heldRequest
	guardAsks    map[Token]*guardedRequest
	gate         gate

	dialogs  int // how many have opened; numbers their ids
	attaches int // how many sessions have been attached; numbers them
}

// New returns the state of a connection before its first event.
func New(config Config) *State {
	return &State{
		config:   config.withDefaults(),
		tasks:    map[string]*task{},
		targets:  map[target.ID]target.Info{},
		sessions: map[target.SessionID]*session{},
		frames:   map[cdproto.FrameID]*frame{},
		commands: map[Token]command{},
		inFlight: map[target.SessionID][]Token{},
		timers:   map[Token]func(){},
		asks:     map[Token]ask{},

		bridgeAsks: map[Token]bridgeAsk{},

		proxyKnows: map[cdproto.BrowserContextID]bool{},

		navigateAsks: map[Token]*navigation{},
		requestAsks:  map[Token]*heldRequest{},
		guardAsks:    map[Token]*guardedRequest{},
		gate:         newGate(),
	}
}

// Apply applies an event that happened at now and returns the effects in order. The slice is valid until the next call.
func (s *State) Apply(now time.Time, event Event) []Effect {
	s.now = now
	s.effects = s.effects[:0]
	if s.lost != "" {
		s.applyAfterEnd(event)
		return s.effects
	}
	if s.connection == connectionDown && !servedWhileDown(event) {
		s.counters.EventsIgnored++
		return s.effects
	}
	event.apply(s)
	return s.effects
}

// Settle is called when no more events are queued. It asks for the frame verdicts that are due and publishes the tasks
// that changed. Calling it once per batch instead of once per event makes a burst of frame events cost a single plugin
// call.
func (s *State) Settle(now time.Time) []Effect {
	s.now = now
	s.effects = s.effects[:0]
	for _, t := range s.taskOrder {
		if s.lost == "" {
			s.askForTrees(t)
		}
		if t.dirty {
			t.dirty = false
			t.revision++
			s.do(Publish{Task: t.ID})
		}
	}
	return s.effects
}

func (s *State) do(effect Effect) { s.effects = append(s.effects, effect) }

// fail ends a request with an error.
func (s *State) fail(request RequestID, err error) { s.do(Reply{Request: request, Err: err}) }

func (s *State) nextToken() Token {
	s.token++
	return s.token
}

// command is a command in flight whose reply matters.
type command struct {
	session target.SessionID
	reply   func(CommandReply)
}

// ask is a call of the dialog hook or of the frames hook without an outcome yet.
type ask struct {
	dialog  *dialog // the subject of the dialog hook
	tab     *tab    // the subject of the frames hook
	frames  []Frame // what the frames hook was asked about
	at      uint64  // the tab's revision at that time
	askedAt time.Time
}

// send sends a command whose reply does not matter.
func (s *State) send(session target.SessionID, method string, params any) {
	s.do(SendCommand{Session: session, Method: method, Params: params})
}

// sendThen sends a command and runs reply once the browser has replied, or once the session or the connection is gone.
// It returns the command's token.
func (s *State) sendThen(session target.SessionID, method string, params any, want Want, reply func(CommandReply)) Token {
	token := s.nextToken()
	s.commands[token] = command{session: session, reply: reply}
	s.inFlight[session] = append(s.inFlight[session], token)
	s.do(SendCommand{Token: token, Session: session, Method: method, Params: params, Want: want})
	return token
}

// sendWithin sends a command and runs done once: after the reply, or when the time is up.
func (s *State) sendWithin(timeout time.Duration, ss *session, method string, params any, done func()) {
	over := false
	var timer Token
	finish := func() {
		if over {
			return
		}
		over = true
		s.disarm(&timer)
		done()
	}
	timer = s.after(timeout, finish)
	s.sendThen(ss.id, method, params, WantNothing, func(CommandReply) { finish() })
}

func (s *State) commandReply(e CommandReply) {
	c, ok := s.commands[e.Token]
	if !ok {
		s.counters.EventsIgnored++
		return
	}
	s.forgetCommand(e.Token)
	c.reply(e)
}

// forgetCommand makes the reply to a command have no effect.
func (s *State) forgetCommand(token Token) {
	c, ok := s.commands[token]
	if !ok {
		return
	}
	delete(s.commands, token)
	rest := removeFrom(s.inFlight[c.session], token)
	if len(rest) == 0 {
		delete(s.inFlight, c.session)
		return
	}
	s.inFlight[c.session] = rest
}

// errSessionGone is the error of the reply that Chromium never sends for commands of a detached session.
const errSessionGone = "the session is gone"

func (s *State) failCommands(session target.SessionID) {
	for _, token := range slices.Clone(s.inFlight[session]) {
		if c, ok := s.commands[token]; ok {
			s.forgetCommand(token)
			c.reply(CommandReply{Token: token, Err: &CommandError{Message: errSessionGone}})
		}
	}
}

// after runs f once the delay has passed, unless the timer is disarmed first.
func (s *State) after(delay time.Duration, f func()) Token {
	token := s.nextToken()
	s.timers[token] = f
	s.do(Arm{Timer: token, At: s.now.Add(delay)})
	return token
}

func (s *State) disarm(timer *Token) {
	if *timer == 0 {
		return
	}
	if _, ok := s.timers[*timer]; ok {
		delete(s.timers, *timer)
		s.do(Disarm{Timer: *timer})
	}
	*timer = 0
}

func (s *State) tick(e Tick) {
	f, ok := s.timers[e.Timer]
	if !ok {
		return
	}
	delete(s.timers, e.Timer)
	f()
}

// askUntil is the deadline of an ask made now.
func (s *State) askUntil() time.Time { return s.now.Add(s.config.AskTimeout) }

// withdraw forgets an ask: its outcome has arrived, or its subject is gone.
func (s *State) withdraw(token Token) {
	_, asked := s.asks[token]
	_, bridge := s.bridgeAsks[token]
	_, navigate := s.navigateAsks[token]
	_, request := s.requestAsks[token]
	_, guard := s.guardAsks[token]
	if !asked && !bridge && !navigate && !request && !guard {
		return
	}
	delete(s.asks, token)
	delete(s.bridgeAsks, token)
	delete(s.navigateAsks, token)
	delete(s.requestAsks, token)
	delete(s.guardAsks, token)
	s.do(Withdraw{Token: token})
}

// awaited lists the asks without an outcome, oldest first.
func (s *State) awaited() []Token {
	return slices.Sorted(slices.Values(slices.Concat(
		sortedKeys(s.asks), sortedKeys(s.bridgeAsks), sortedKeys(s.navigateAsks), sortedKeys(s.requestAsks), sortedKeys(s.guardAsks),
	)))
}

// sortedKeys makes iteration over a map deterministic, so that a schedule can be replayed.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// removeFrom deletes the first element equal to v, in place.
func removeFrom[T comparable](list []T, v T) []T {
	if i := slices.Index(list, v); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}
