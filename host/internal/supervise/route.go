package supervise

import (
	"slices"

	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/host/route"
)

// The rules of a task decide on requests that nothing else holds. The bridge and the hooks come first, so that no rule
// evades what a module denies.

func (s *State) addRoute(e AddRoute) {
	t := s.tasks[e.Task]
	if t == nil {
		s.fail(e.Request, &TaskError{Task: e.Task, Reason: "there is no such task"})
		return
	}
	id, err := t.routes.Add(e.Rule)
	if err != nil {
		s.fail(e.Request, err)
		return
	}
	s.reroute(t, func() { s.do(Reply{Request: e.Request, Route: id}) })
}

func (s *State) removeRoute(e RemoveRoute) {
	t := s.tasks[e.Task]
	if t == nil {
		s.fail(e.Request, &TaskError{Task: e.Task, Reason: "there is no such task"})
		return
	}
	if err := t.routes.Remove(e.Route); err != nil {
		s.fail(e.Request, err)
		return
	}
	s.reroute(t, func() { s.do(Reply{Request: e.Request}) })
}

// Routes lists the rules of a task, newest first.
func (s *State) Routes(task string) []route.Rule {
	if t := s.tasks[task]; t != nil {
		return t.routes.List()
	}
	return nil
}

// reroute makes the sessions of a task pause what its rules are for. The browser confirms when its renderers know, for
// which it needs their main threads: one that spins is not waited for longer than for an answer.
func (s *State) reroute(t *task, done func()) {
	waiting := 1
	one := func() {
		if waiting--; waiting == 0 {
			done()
		}
	}
	for _, ss := range s.sessionsOf(t) {
		if method, params := s.interception(ss); method != "" {
			waiting++
			s.sendWithin(s.config.AnswerTimeout, ss, method, params, one)
		}
	}
	one()
}

// sessionsOf are the supervisor's sessions of a task that are prepared, in the order of their attachment.
func (s *State) sessionsOf(t *task) (list []*session) {
	for _, ss := range s.sessions {
		if ss.task == t && ss.agent == nil && ss.prepared {
			list = append(list, ss)
		}
	}
	slices.SortFunc(list, func(a, b *session) int { return a.number - b.number })
	return list
}

// letGo answers a paused request: as the newest rule of its task that matches says, else by continuing it. What the
// browser refuses to do is continued, too, so that no request is left paused.
func (s *State) letGo(ss *session, e RequestPaused) {
	goOn := func() {
		s.send(ss.id, fetch.CommandContinueRequest, &fetch.ContinueRequestParams{RequestID: e.Request})
	}
	r := ss.task.routes.Decide(route.Request{URL: e.URL, Type: e.Type, Method: e.Method})
	if r == nil {
		goOn()
		return
	}
	method, params := answerBy(r, e)
	s.sendThen(ss.id, method, params, WantNothing, func(reply CommandReply) {
		if reply.Err != nil && s.sessions[ss.id] == ss {
			goOn()
		}
	})
	if r.Spent() {
		s.reroute(ss.task, func() {})
	}
}

// answerBy is the command that does what a rule says.
func answerBy(r *route.Rule, e RequestPaused) (method string, params any) {
	switch {
	case r.Fulfil != nil:
		p := &fetch.FulfillRequestParams{
			RequestID: e.Request, ResponseCode: int64(r.Fulfil.Status), ResponsePhrase: r.Fulfil.Phrase(), Body: r.Fulfil.Body,
		}
		for _, h := range (&route.Headers{Set: r.Fulfil.Headers}).Apply(nil) {
			p.ResponseHeaders = append(p.ResponseHeaders, &fetch.HeaderEntry{Name: h.Name, Value: h.Value})
		}
		return fetch.CommandFulfillRequest, p
	case r.Change != nil:
		p := &fetch.ContinueRequestParams{RequestID: e.Request}
		for _, h := range r.Change.Apply(e.Headers) {
			p.Headers = append(p.Headers, &fetch.HeaderEntry{Name: h.Name, Value: h.Value})
		}
		return fetch.CommandContinueRequest, p
	}
	return fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: e.Request, ErrorReason: deniedReason}
}
