package netlog

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// hear passes an event to a log as the browser sends it.
func (n *Log) hear(t *testing.T, method, params string) {
	t.Helper()
	if err := n.Hear(supervise.ScriptTarget{Page: "tab", Session: "s"}, "Network."+method, []byte(params)); err != nil {
		t.Fatal(err)
	}
}

func TestOldRequestsGiveWayToNewOnesByNumberAndBySize(t *testing.T) {
	var n Log
	for i := range maxRequests + 10 {
		n.hear(t, "requestWillBeSent", fmt.Sprintf(`{"requestId":"%d","request":{"method":"GET","url":"https://a/%d"}}`, i, i))
	}
	if len(n.list) != maxRequests || n.dropped != 10 || n.list[0].Number != 11 || len(n.latest) != maxRequests {
		t.Errorf("%d are kept from %d on, %d dropped, %d known", len(n.list), n.list[0].Number, n.dropped, len(n.latest))
	}
	header := strings.Repeat("x", 100_000)
	for i := range 100 {
		n.hear(t, "responseReceived", fmt.Sprintf(`{"requestId":"%d","response":{"status":200,"headers":{"X":%q}}}`, maxRequests+9-i, header))
	}
	sum := 0
	for _, x := range n.list {
		sum += x.bytes
	}
	if n.bytes > maxRequestBytes || sum != n.bytes || uint64(len(n.list))+n.dropped != n.number || len(n.latest) != len(n.list) {
		t.Errorf("%d bytes are counted of %d; %d requests, %d dropped, %d known", n.bytes, sum, len(n.list), n.dropped, len(n.latest))
	}
	n.hear(t, "loadingFinished", `{"requestId":"0","timestamp":1}`) // of a request that was dropped
}

func TestARedirectEndsARequestAndBeginsAnother(t *testing.T) {
	var n Log
	n.hear(t, "requestWillBeSent", `{"requestId":"1","timestamp":10,"type":"Document","request":{"method":"POST","url":"https://me:pw@a/","hasPostData":true}}`)
	n.hear(t, "requestWillBeSent", `{"requestId":"1","timestamp":11,"request":{"method":"GET","url":"https://b/"},"redirectResponse":{"status":302,"encodedDataLength":7}}`)
	// by its frame
	n.hear(t, "requestWillBeSent", `{"requestId":"1","timestamp":11,"request":{"method":"GET","url":"https://b/"}}`)
	n.hear(t, "loadingFailed", `{"requestId":"1","timestamp":12,"errorText":"net::ERR_FAILED","blockedReason":"csp","corsErrorStatus":{"corsError":"X"}}`)
	if len(n.list) != 2 {
		t.Fatalf("%d requests", len(n.list))
	}
	first, second := n.list[0], n.list[1]
	if first.Status != 302 || !first.Ended || first.Redirection != "https://b/" || first.Size != 7 || first.Took.Seconds() != 1 || strings.Contains(first.URL, "pw") {
		t.Errorf("%+v", first.Request)
	}
	if !second.Ended || second.Failure != "net::ERR_FAILED, blocked: csp, CORS: X" {
		t.Errorf("%+v", second.Request)
	}
}

func TestSecretsOfHeadersAreNotKept(t *testing.T) {
	for _, name := range []string{"Authorization", "proxy-authorization", "Cookie", "set-cookie", "X-Api-Key", "X-CSRF-Token"} {
		if got := headers(map[string]any{name: "very-secret"}, nil); got[0].Value != "[redacted]" {
			t.Errorf("%s: %s", name, got[0].Value)
		}
	}
}

func TestATabWaitsForAnswersThatItAskedForLately(t *testing.T) {
	var n Log
	lately := time.Now().Add(-time.Minute)
	awaits := func() bool { return len(n.Awaited("tab", lately)) > 0 }
	ask := func(id, kind string) {
		n.hear(t, "requestWillBeSent", fmt.Sprintf(`{"requestId":%q,"type":%q,"request":{"method":"GET","url":"https://a/"}}`, id, kind))
	}
	ask("1", "Image")
	ask("2", "EventSource")
	if awaits() {
		t.Error("an image changes the page")
	}
	ask("3", "Fetch")
	if !awaits() || len(n.Awaited("other", lately)) > 0 {
		t.Error("the tab, and no other, awaits an answer")
	}
	n.hear(t, "loadingFinished", `{"requestId":"3","timestamp":1}`)
	if awaits() {
		t.Error("it was answered")
	}
	ask("4", "XHR")
	n.latest["4"].heard = time.Now().Add(-time.Hour)
	if awaits() {
		t.Error("a request that is open for long is awaited")
	}
}

// Chromium announces no end of what a document has asked for when the document is left.
func TestRequestsEndWithTheirDocument(t *testing.T) {
	ask := func(n *Log, id, kind, frame, loader string) {
		n.hear(t, "requestWillBeSent", fmt.Sprintf(`{"requestId":%q,"type":%q,"frameId":%q,"loaderId":%q,"request":{"method":"GET","url":"https://a/"}}`, id, kind, frame, loader))
	}
	const left, removed, gone = "its document was left", "its frame was removed", "its document or worker is gone"
	const lost = "the connection to the browser was lost before its end"
	navigated := supervise.FrameNavigated{Frame: supervise.FrameInfo{ID: "top", Loader: "new"}}
	for what, c := range map[string]struct {
		event supervise.Event
		ends  [5]string
	}{
		"another document":              {navigated, [5]string{left, "", "", "", left}},
		"a frame that is removed":       {supervise.FrameDetached{Frame: "child"}, [5]string{"", "", "", removed, ""}},
		"a frame that changes process":  {supervise.FrameDetached{Frame: "child", Swap: true}, [5]string{}},
		"a session that ends":           {supervise.Detached{Session: "s"}, [5]string{gone, gone, "", gone, gone}},
		"another session that ends":     {supervise.Detached{Session: "other"}, [5]string{}},
		"a connection that is lost":     {supervise.ConnectionLost{}, [5]string{lost, lost, lost, lost, lost}},
		"what does not end a document":  {supervise.FrameAttached{Frame: "child"}, [5]string{}},
		"the same document, once again": {supervise.FrameNavigated{Frame: supervise.FrameInfo{ID: "child", Loader: "old"}}, [5]string{}},
	} {
		var n Log
		ask(&n, "1", "Fetch", "top", "old")
		ask(&n, "2", "Script", "top", "new")
		ask(&n, "3", "Document", "top", "3")
		ask(&n, "4", "XHR", "child", "old")
		ask(&n, "5", "Document", "top", "old")
		n.hear(t, "responseReceived", `{"requestId":"5","response":{"status":200}}`)
		ask(&n, "6", "Image", "top", "old")
		n.hear(t, "loadingFinished", `{"requestId":"6","timestamp":1}`)
		n.Leave(c.event)
		for i, why := range c.ends {
			if x := n.list[i]; x.Ended != (why != "") || x.Failure != why {
				t.Errorf("%s: request %d: ended %t, %q, want %q", what, i+1, x.Ended, x.Failure, why)
			}
		}
		if x := n.list[5]; x.Failure != "" {
			t.Errorf("%s: what had ended: %s", what, x.Failure)
		}
		n.hear(t, "loadingFinished", `{"requestId":"1","timestamp":1}`)
		if x := n.list[0]; !x.Ended || x.Failure != "" {
			t.Errorf("%s: a request that outlived its document: %q", what, x.Failure)
		}
	}
}
