package host

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Hold is the time in which a person has a task instead of its agent; see [Task.TakeOver].
type Hold struct {
	Since UnixTime `json:"since"`
}

// HandBack is what the agent is told when it has its task again.
type HandBack struct {
	// Note is what the person wrote; it may be empty.
	Note string `json:"note"`
	// Held is how long the person had the task.
	Held time.Duration `json:"held_ns"`
}

// Question is what an agent, or a plugin about a call of the agent, asks the person who runs the host.
type Question struct {
	// ID is q-1, q-2, ..., in the order of the task's questions.
	ID string `json:"id"`
	// Text is the agent's, and may quote pages; untrusted.
	Text string `json:"text"`
	// Plugin asks whether a call of the agent may be made; empty: the agent itself asks.
	Plugin string `json:"plugin,omitempty"`
	// Tab is the tab that it is about; empty: the tab in use.
	Tab string `json:"tab,omitempty"`
	// Region is the part of the viewport that it is about; nil: all of it.
	Region *Region  `json:"region,omitempty"`
	Asked  UnixTime `json:"asked"`
}

// Region is a part of the viewport, in CSS pixels.
type Region struct {
	X      float64 `json:"x" need:"yes" min:"0" max:"100000"`
	Y      float64 `json:"y" need:"yes" min:"0" max:"100000"`
	Width  float64 `json:"width" need:"yes" min:"1" max:"100000"`
	Height float64 `json:"height" need:"yes" min:"1" max:"100000"`
}

const (
	// maxNote limits a note and an answer, in bytes: a model reads them.
	maxNote = 4096
	// maxQuestions limits the questions of a task that wait, and those whose answer nobody has fetched.
	maxQuestions = 16
)

// hold is what a task knows of the person who may take it. The zero value is ready.
type hold struct {
	mu        sync.Mutex
	now       *Hold // nil: the agent has the task
	calls     map[*admitted]bool
	backs     []HandBack // not told yet
	questions []*question
	asked     int // questions ever
}

// admitted is a call of the agent that is in progress.
type admitted struct {
	stop context.CancelCauseFunc
	done chan struct{}
}

type question struct {
	Question
	answer   string
	answered chan struct{} // closed when there is an answer
}

// Admit lets a call of the agent begin; ended must be called when it has. Its context ends, with [ErrHeldByOperator] as
// the cause, when a person takes the task over. The error is [ErrHeldByOperator] while a person has it. The tools of
// package agent do this by themselves; a program with an agent of its own does it around that agent's calls.
func (t *Task) Admit(ctx context.Context) (_ context.Context, ended func(), err error) {
	h := &t.hold
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now != nil {
		return ctx, func() {}, fault.Of("admit", t.heldError())
	}
	ctx, stop := context.WithCancelCause(ctx)
	one := &admitted{stop: stop, done: make(chan struct{})}
	if h.calls == nil {
		h.calls = map[*admitted]bool{}
	}
	h.calls[one] = true
	leave := t.host.plugins.Spans.Enter(ctx, t.ID())
	return ctx, sync.OnceFunc(func() {
		leave()
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.calls, one)
		stop(nil)
		close(one.done)
	}), nil
}

func (t *Task) heldError() error {
	return fmt.Errorf("%w: a person has the browser of the task %q; call again later, and read the page again then, as it may have changed", ErrHeldByOperator, t.ID())
}

// TakeOver gives a task to a person: the calls of the agent that are in progress end, and later ones are refused, with
// [ErrHeldByOperator], until [Task.GiveBack]. What the person does with [Tab] goes to the page. It returns when the
// calls have ended; the context ends only that wait, and the task is held all the same. Taking over a task that is held
// changes nothing. Errors: ErrClosed, and the context's.
func (t *Task) TakeOver(ctx context.Context) (_ Hold, err error) {
	defer fault.During("take_over", &err)
	if !t.engine.Alive() {
		return Hold{}, ErrClosed
	}
	held, running := t.hold.take(t.heldError())
	for _, call := range running {
		select {
		case <-call.done:
		case <-ctx.Done():
			return held, fmt.Errorf("the task is held, but calls of the agent still end: %w", context.Cause(ctx))
		}
	}
	return held, nil
}

func (h *hold) take(why error) (held Hold, running []*admitted) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now == nil {
		h.now = &Hold{Since: UnixTime{Time: time.Now()}}
	}
	for call := range h.calls {
		call.stop(why)
		running = append(running, call)
	}
	return *h.now, running
}

// GiveBack lets the agent go on. Its next result has the note, of at most 4 KiB. Errors: [ErrNotHeld], ErrBadArguments.
func (t *Task) GiveBack(note string) (_ HandBack, err error) {
	defer fault.During("give_back", &err)
	if err := checkNote(note); err != nil {
		return HandBack{}, err
	}
	h := &t.hold
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now == nil {
		return HandBack{}, fmt.Errorf("%w: the agent has the task %q", ErrNotHeld, t.ID())
	}
	back := HandBack{Note: strings.TrimSpace(note), Held: time.Since(h.now.Since.Time)}
	h.now, h.backs = nil, append(h.backs, back)
	return back, nil
}

func checkNote(note string) error {
	if len(note) > maxNote {
		return fmt.Errorf("%w: the text has %d bytes, at most %d are allowed: a model reads it", ErrBadArguments, len(note), maxNote)
	}
	return nil
}

// Held says since when a person has the task; nil: the agent has it.
func (t *Task) Held() *Hold {
	t.hold.mu.Lock()
	defer t.hold.mu.Unlock()
	return t.hold.now
}

// TakeHandBacks returns what the agent is to be told of the times in which a person had its task, each once.
func (t *Task) TakeHandBacks() []HandBack {
	t.hold.mu.Lock()
	defer t.hold.mu.Unlock()
	list := t.hold.backs
	t.hold.backs = nil
	return list
}

// AskOperator asks the person who runs the host, and waits for the answer. If the context ends first the question
// stays: asking it again, in the same words, waits on, and returns an answer that was given meanwhile. Errors:
// ErrBadArguments for an empty or long question, or too many; ErrClosed; and the context's.
func (t *Task) AskOperator(ctx context.Context, q Question) (answer string, err error) {
	defer fault.During("ask_operator", &err)
	if err := checkNote(q.Text); err != nil {
		return "", err
	}
	one, err := t.hold.ask(q)
	if err != nil {
		return "", err
	}
	select {
	case <-one.answered:
		t.hold.drop(one)
		return one.answer, nil
	case <-t.Done():
		return "", ErrClosed
	case <-ctx.Done():
		return "", fmt.Errorf("nobody has answered the question %s yet; ask again in the same words to wait on: %w", one.ID, fault.Stopped(context.Cause(ctx), context.Cause(ctx)))
	}
}

func (h *hold) ask(q Question) (*question, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	q.Text = strings.TrimSpace(q.Text)
	if q.Text == "" {
		return nil, fmt.Errorf("%w: the question is empty", ErrBadArguments)
	}
	for _, known := range h.questions {
		// A plugin's question is about one call: a yes to it must not allow another one that looks the same.
		if known.Text == q.Text && known.Plugin == "" && q.Plugin == "" {
			return known, nil
		}
	}
	if len(h.questions) >= maxQuestions {
		return nil, fmt.Errorf("%w: %d questions wait already; ask one of them again", ErrBadArguments, maxQuestions)
	}
	h.asked++
	q.ID, q.Asked = "q-"+strconv.Itoa(h.asked), UnixTime{Time: time.Now()}
	one := &question{Question: q, answered: make(chan struct{})}
	h.questions = append(h.questions, one)
	return one, nil
}

func (h *hold) drop(one *question) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.questions = slices.DeleteFunc(h.questions, func(q *question) bool { return q == one })
}

// Questions lists the questions that wait for an answer, oldest first.
func (t *Task) Questions() []Question {
	t.hold.mu.Lock()
	defer t.hold.mu.Unlock()
	var list []Question
	for _, q := range t.hold.questions {
		if !q.isAnswered() {
			list = append(list, q.Question)
		}
	}
	return list
}

func (q *question) isAnswered() bool {
	select {
	case <-q.answered:
		return true
	default:
		return false
	}
}

// AnswerQuestion answers a question of the agent. Errors: [ErrUnknownQuestion], ErrBadArguments.
func (t *Task) AnswerQuestion(id, answer string) (_ Question, err error) {
	defer fault.During("answer_question", &err)
	if err := checkNote(answer); err != nil {
		return Question{}, err
	}
	t.hold.mu.Lock()
	defer t.hold.mu.Unlock()
	for _, q := range t.hold.questions {
		if q.ID == id && !q.isAnswered() {
			q.answer = strings.TrimSpace(answer)
			close(q.answered)
			return q.Question, nil
		}
	}
	return Question{}, fmt.Errorf("%w: %q", ErrUnknownQuestion, id)
}
