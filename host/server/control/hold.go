package control

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// HoldAPI lets a person have a task instead of its agent, and answer its questions.
type HoldAPI interface {
	// TakeOver takes a task from its agent; see [host.Task.TakeOver].
	TakeOver(ctx context.Context, task string) (host.Hold, error)
	// GiveBack gives it back, with a note; see [host.Task.GiveBack].
	GiveBack(ctx context.Context, task, note string) (host.HandBack, error)
	// AnswerQuestion answers a question of an agent, which [TaskStatus] lists; see [host.Task.AnswerQuestion].
	AnswerQuestion(ctx context.Context, task string, a QuestionAnswer) (host.Question, error)
	// NewLiveLink returns a link that opens the live page once.
	NewLiveLink(ctx context.Context) (LiveLink, error)
}

// QuestionAnswer is an answer to a question of an agent.
type QuestionAnswer struct {
	ID     string `json:"id"`
	Answer string `json:"answer"`
}

// LiveLink opens the live page, once and soon: whoever has it becomes the operator.
type LiveLink struct {
	URL     string        `json:"url"`
	Expires host.UnixTime `json:"expires"`
}

// The paths of these calls.
const (
	pathTakeOver = "/v1/tasks/takeover"
	pathGiveBack = "/v1/tasks/give-back"
	pathQuestion = "/v1/questions/answer"
	pathLiveLink = "/v1/live-link"
)

type giveBackRequest struct {
	Note string `json:"note,omitempty"`
}

// holdRoutes are the routes of [HoldAPI].
func holdRoutes(api HoldAPI) []route {
	return []route{
		{"POST " + pathTakeOver, "take a task from its agent", ofTask(api.TakeOver)},
		{"POST " + pathGiveBack, "give a task back to its agent", body(func(r *http.Request, in giveBackRequest) (any, error) {
			return api.GiveBack(r.Context(), taskOf(r), in.Note)
		})},
		{"POST " + pathQuestion, "answer a question of an agent", ofTaskTaking(api.AnswerQuestion)},
		{"POST " + pathLiveLink, "make a link that opens the live page once", of(api.NewLiveLink)},
	}
}

// TakeOver implements [API].
func (l *Local) TakeOver(ctx context.Context, task string) (host.Hold, error) {
	return with(ctx, l, task, func(t *host.Task) (host.Hold, error) { return t.TakeOver(ctx) })
}

// GiveBack implements [API].
func (l *Local) GiveBack(ctx context.Context, task, note string) (host.HandBack, error) {
	return with(ctx, l, task, func(t *host.Task) (host.HandBack, error) { return t.GiveBack(note) })
}

// AnswerQuestion implements [API].
func (l *Local) AnswerQuestion(ctx context.Context, task string, a QuestionAnswer) (host.Question, error) {
	return with(ctx, l, task, func(t *host.Task) (host.Question, error) { return t.AnswerQuestion(a.ID, a.Answer) })
}

// NewLiveLink implements [API].
func (l *Local) NewLiveLink(context.Context) (LiveLink, error) {
	if l.LiveLink == nil {
		return LiveLink{}, fmt.Errorf("%w: there is no live page: set control.ui_address and restart the daemon", fault.ErrUnsupported)
	}
	return l.LiveLink(), nil
}

// TakeOver implements [API].
func (c *Client) TakeOver(ctx context.Context, task string) (host.Hold, error) {
	return call[host.Hold](ctx, c, "POST", pathTakeOver, queryOf(task), nil)
}

// GiveBack implements [API].
func (c *Client) GiveBack(ctx context.Context, task, note string) (host.HandBack, error) {
	return call[host.HandBack](ctx, c, "POST", pathGiveBack, queryOf(task), giveBackRequest{note})
}

// AnswerQuestion implements [API].
func (c *Client) AnswerQuestion(ctx context.Context, task string, a QuestionAnswer) (host.Question, error) {
	return call[host.Question](ctx, c, "POST", pathQuestion, queryOf(task), a)
}

// NewLiveLink implements [API].
func (c *Client) NewLiveLink(ctx context.Context) (LiveLink, error) {
	return call[LiveLink](ctx, c, "POST", pathLiveLink, nil, nil)
}
