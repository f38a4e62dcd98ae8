package providertest

import (
	"context"
	"net/http"

	"github.com/coder/websocket"
)

// version answers a discovery. It does not use the ticket up.
func (s *Server) version(w http.ResponseWriter, r *http.Request) {
	if s.holder(r, false) == nil {
		http.Error(w, "no such ticket", http.StatusForbidden)
		return
	}
	writeJSON(w, map[string]any{"webSocketDebuggerUrl": "ws://127.0.0.1:1/devtools/browser/" + r.PathValue("id")})
}

// connect carries the messages between a client and the browser.
func (s *Server) connect(w http.ResponseWriter, r *http.Request) {
	one := s.holder(r, true)
	if one != nil && s.hold() {
		<-r.Context().Done()
		return
	}
	if one == nil || s.browser == "" {
		http.Error(w, "no such ticket", http.StatusForbidden)
		return
	}
	client, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	ctx, cut := context.WithCancel(context.Background())
	defer cut()
	s.mu.Lock()
	one.cuts = append(one.cuts, cut)
	s.mu.Unlock()
	//nolint:bodyclose // the library says that the body must not be closed
	browser, _, err := websocket.Dial(ctx, s.browser, &websocket.DialOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		_ = client.CloseNow() // the client sees that it has no browser
		return
	}
	go carry(ctx, cut, client, browser)
	carry(ctx, cut, browser, client)
	_, _ = client.CloseNow(), browser.CloseNow() // as abruptly as a network fails
}

// hold reports whether a connection is never to be answered.
func (s *Server) hold() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds {
		s.held++
		s.tell()
	}
	return s.holds
}

// carry copies messages until either side ends.
func carry(ctx context.Context, cut func(), to, from *websocket.Conn) {
	defer cut()
	from.SetReadLimit(-1)
	for {
		kind, message, err := from.Read(ctx)
		if err != nil || to.Write(ctx, kind, message) != nil {
			return
		}
	}
}

// holder is the session that a request has a ticket for; nil if it has none. A ticket can be used up.
func (s *Server) holder(r *http.Request, use bool) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.sessions[r.PathValue("id")]
	if one == nil || one.ended != "" || one.ticket == "" || r.URL.Query().Get("signature") != one.ticket {
		return nil
	}
	if use {
		one.ticket = ""
	}
	return one
}
