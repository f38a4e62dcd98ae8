package network

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// RequestsParams are the parameters of browser_network_requests. All that is set must match.
type RequestsParams struct {
	// Filter is a part of the URL or, between slashes, a regular expression that it matches.
	Filter string `json:"filter,omitempty" doc:"part of the URL, or /regex/"`
	// Type is the browser's word: document, fetch, xhr, script, stylesheet, image, ...
	Type string `json:"type,omitempty" doc:"document, fetch, xhr, script, image, ..."`
	// Status is one of the response, a class or a range.
	Status string `json:"status,omitempty" doc:"404, 4xx or 400-499"`
	// Failed requests are those without a response, and those with a status from 400.
	Failed bool `json:"failed,omitempty" doc:"only failures and status 400 and up"`
	// Since is the id of the last request that is known already.
	Since string `json:"since,omitempty" doc:"only those after this id"`
	// Tab is the tab whose requests are listed; empty: all.
	Tab string `json:"tab,omitempty" doc:"of one tab; default: all"`
	// Limit is how many are listed, by default 50: the last ones or, with Since, the next ones.
	Limit int `json:"limit,omitempty" min:"1" max:"1000"`
	// HAR writes all that match into a file, an HTTP archive, instead of listing them.
	HAR bool `json:"har,omitempty" doc:"write them to a HAR file"`
}

// RequestsResult is the result of browser_network_requests.
type RequestsResult struct {
	Requests []RequestInfo `json:"requests,omitempty"`
	// Matching requests are those that are listed, and those that Limit leaves out, of Total that are recorded.
	Matching int `json:"matching"`
	Total    int `json:"total"`
	// Dropped were recorded, and given up for newer ones. Missed events came too fast to be recorded.
	Dropped int64 `json:"dropped,omitempty"`
	Missed  int64 `json:"missed_events,omitempty" schema:"-"`
	// Path is the HAR file.
	Path string `json:"har_path,omitempty"`
	// Started says that the recording begins with this call.
	Started   bool              `json:"started,omitempty"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
	limited   bool
}

// RequestInfo is a request in short.
type RequestInfo struct {
	ID            string `json:"id"`
	Tab           string `json:"tab,omitempty"` // its handle; empty for a worker that several tabs share
	Method        string `json:"method"`
	URL           string `json:"url"`
	Type          string `json:"type,omitempty"`
	Status        int    `json:"status,omitempty"` // 0: no response, or not yet
	Failure       string `json:"failure,omitempty"`
	BlockedBy     string `json:"blocked_by,omitempty"` // the plugin, and why
	Pending       bool   `json:"pending,omitempty"`
	MS            int64  `json:"ms,omitempty"` // until its end
	Size          int64  `json:"size,omitempty"`
	FromCache     bool   `json:"from_cache,omitempty"`
	ServiceWorker bool   `json:"from_service_worker,omitempty"`
	Initiator     string `json:"initiator,omitempty"`
	RedirectedTo  string `json:"redirected_to,omitempty"`
}

const (
	defaultRequests = 50
	maxListedURL    = 300
)

// Requests lists the recorded requests of the task, or writes them to a file.
func (k *Kit) Requests(_ context.Context, p RequestsParams) (RequestsResult, error) {
	match, err := k.requestFilter(p)
	if err != nil {
		return RequestsResult{}, err
	}
	all := k.Task.Requests()
	k.Task.WatchNetwork()
	var list []host.Request
	for _, r := range all.List {
		if match(r) {
			list = append(list, r)
		}
	}
	out := RequestsResult{
		Matching: len(list), Total: len(all.List), Dropped: int64(all.Dropped), Missed: int64(all.Missed), Started: !all.Watched, Untrusted: k.Untrusted("", "requests"),
	}
	if p.HAR {
		out.Path, err = k.keepHAR(list)
		return out, err
	}
	limit := p.Limit
	if limit == 0 {
		limit = defaultRequests
	}
	if out.limited = len(list) > limit; out.limited && p.Since != "" {
		list = list[:limit]
	} else if out.limited {
		list = list[len(list)-limit:]
	}
	for _, r := range list {
		info := k.requestInfo(r)
		info.URL, info.RedirectedTo = pagetext.Shorten(info.URL, maxListedURL), pagetext.Shorten(info.RedirectedTo, maxListedURL)
		out.Requests = append(out.Requests, info)
	}
	return out, nil
}

var statusPattern = regexp.MustCompile(`^([1-5])xx$|^([1-5][0-9][0-9])(?:-([1-5][0-9][0-9]))?$`)

// requestFilter returns what all requests that are wanted match.
func (k *Kit) requestFilter(p RequestsParams) (func(host.Request) bool, error) {
	inURL, err := toolkit.InURL("filter", p.Filter)
	if err != nil {
		return nil, err
	}
	low, high, err := statusRange(p.Status)
	if err != nil {
		return nil, err
	}
	since := uint64(0)
	if p.Since != "" {
		if since, err = requestNumber("since", p.Since); err != nil {
			return nil, err
		}
	}
	tab := ""
	if p.Tab != "" {
		if tab, err = k.Tab(p.Tab); err != nil {
			return nil, err
		}
	}
	return func(r host.Request) bool {
		return inURL(r.URL) && r.Number > since && r.Status >= low && r.Status <= high && (tab == "" || r.TargetID == tab) &&
			(p.Type == "" || strings.EqualFold(p.Type, r.Type)) && (!p.Failed || r.Failure != "" || r.Status >= 400)
	}, nil
}

func statusRange(text string) (low, high int, err error) {
	m := statusPattern.FindStringSubmatch(text)
	switch {
	case text == "":
		return 0, 999, nil
	case m == nil:
		return 0, 0, result.BadArgument("status", "it is a status such as 404, a class such as 4xx, or a range such as 400-499")
	case m[1] != "":
		return int(m[1][0]-'0') * 100, int(m[1][0]-'0')*100 + 99, nil
	}
	low, _ = strconv.Atoi(m[2]) // digits, by the pattern
	if high = low; m[3] != "" {
		high, _ = strconv.Atoi(m[3])
	}
	return low, high, nil
}

var requestID = regexp.MustCompile(`^r([1-9][0-9]{0,17})$`)

func requestNumber(parameter, id string) (uint64, error) {
	m := requestID.FindStringSubmatch(id)
	if m == nil {
		return 0, result.BadArgument(parameter, "it is the id of a request in the list, such as r5")
	}
	return strconv.ParseUint(m[1], 10, 64)
}

func (k *Kit) requestInfo(r host.Request) RequestInfo {
	info := RequestInfo{
		ID: toolkit.RequestID(r), Method: result.Visible(r.Method), URL: result.Visible(r.URL), Type: result.Visible(r.Type), Status: r.Status,
		Failure: result.Visible(r.Failure), BlockedBy: result.Visible(r.BlockedBy), Pending: !r.Ended, MS: r.Took.Milliseconds(), Size: r.Size, FromCache: r.FromCache, ServiceWorker: r.ServiceWorker,
		Initiator: result.Visible(r.Initiator), RedirectedTo: result.Visible(r.Redirection),
	}
	if r.TargetID != "" {
		info.Tab = k.Task.Tab(r.TargetID).ID()
	}
	return info
}

// line is a request on one line.
func (i RequestInfo) line() string {
	words := []string{i.ID, i.Method, i.URL}
	switch {
	case i.Failure != "":
		words = append(words, "failed: "+i.Failure)
		if i.BlockedBy != "" {
			words = append(words, "(by "+i.BlockedBy+")")
		}
	case i.Pending:
		words = append(words, "pending")
	}
	if i.Status != 0 {
		words = append(words, strconv.Itoa(i.Status))
	}
	words = append(words, i.Type)
	if !i.Pending {
		words = append(words, fmt.Sprintf("%d bytes %d ms", i.Size, i.MS))
	}
	if i.FromCache {
		words = append(words, "from the cache")
	}
	if i.ServiceWorker {
		words = append(words, "from a service worker")
	}
	if i.RedirectedTo != "" {
		words = append(words, "-> "+i.RedirectedTo)
	}
	if i.Initiator != "" {
		words = append(words, "by "+i.Initiator)
	}
	return strings.Join(words, " ")
}

// Text lists the requests, oldest first.
func (r RequestsResult) Text() string {
	if r.Path != "" {
		return fmt.Sprintf("%d of %s in %s", r.Matching, result.Number(r.Total, "request"), r.Path)
	}
	lines := []string{fmt.Sprintf("%d of %d that match, of %s:", len(r.Requests), r.Matching, result.Number(r.Total, "request"))}
	for _, i := range r.Requests {
		lines = append(lines, i.line())
	}
	return strings.Join(lines, "\n")
}

// Guidance says what is missing.
func (r RequestsResult) Guidance(result.Offered) []string {
	var list []string
	if r.Started {
		list = append(list, "requests are recorded from now on; load the page again to see those that it has made")
	}
	if r.limited {
		list = append(list, "narrow the filter, raise limit, or go on with since")
	}
	if r.Dropped > 0 {
		list = append(list, fmt.Sprintf("%d older requests were dropped", r.Dropped))
	}
	if r.Missed > 0 {
		list = append(list, fmt.Sprintf("%d events came too fast to be recorded, so requests may be missing or seem pending", r.Missed))
	}
	return list
}

// RequestParams are the parameters of browser_network_request.
type RequestParams struct {
	ID string `json:"id" need:"yes" doc:"as r5"`
	// Bodies asks the browser for the bodies, too.
	Bodies bool `json:"bodies,omitempty" doc:"with the bodies of request and response"`
	toolkit.Timeout
}

// RequestResult is the result of browser_network_request. The headers are without cookies, and without the values of
// those that may be secret.
type RequestResult struct {
	RequestInfo
	StatusText      string        `json:"status_text,omitempty" schema:"-"`
	MIMEType        string        `json:"mime_type,omitempty" schema:"-"`
	Protocol        string        `json:"protocol,omitempty" schema:"-"`
	Began           time.Time     `json:"began" schema:"-"`
	RequestHeaders  []host.Header `json:"request_headers"`
	ResponseHeaders []host.Header `json:"response_headers"`
	Timing          *host.Timing  `json:"timing,omitempty"`
	RequestBody     *Body         `json:"request_body,omitempty"`
	ResponseBody    *Body         `json:"response_body,omitempty"`
	// Missing says why a body is not there.
	Missing   string            `json:"body_missing,omitempty"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// Body is the body of a request or a response.
type Body struct {
	Bytes int `json:"bytes"`
	// Text is all of it or, if Path or Cut is set, its beginning; empty if it is not text.
	Text string `json:"text,omitempty"`
	// Path is the file that has all of a long body, or of one that is not text. It is set if files are kept.
	Path string `json:"path,omitempty"`
	Cut  bool   `json:"cut,omitempty"`
}

// Request returns one request with its headers, its timing and, on demand, its bodies. Errors are those of
// [host.Task.RequestBodies].
func (k *Kit) Request(ctx context.Context, p RequestParams) (RequestResult, error) {
	id, err := requestNumber("id", p.ID)
	if err != nil {
		return RequestResult{}, err
	}
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	var r *host.Request
	for _, known := range k.Task.Requests().List {
		if known.Number == id {
			r = &known
			break
		}
	}
	if r == nil {
		return RequestResult{}, result.BadArgument("id", "there is no request %s, or it was dropped for newer ones; list them again", p.ID)
	}
	out := RequestResult{
		RequestInfo: k.requestInfo(*r), StatusText: result.Visible(r.StatusText), MIMEType: result.Visible(r.MIMEType), Protocol: result.Visible(r.Protocol), Began: r.Began,
		RequestHeaders: visibleHeaders(r.RequestHeaders), ResponseHeaders: visibleHeaders(r.ResponseHeaders), Timing: r.Timing,
		Untrusted: k.Untrusted(r.TargetID, "url", "failure", "initiator", "redirected_to", "request_headers", "response_headers", "request_body", "response_body"),
	}
	if !p.Bodies {
		return out, nil
	}
	bodies, err := k.Task.RequestBodies(ctx, id)
	return toolkit.Then(ctx, k.Kit, bodies, err, func(_ context.Context, bodies host.Bodies) (RequestResult, error) {
		out.Missing = bodies.Missing
		var err error
		if out.RequestBody, err = k.keepBody(bodies.Request); err != nil {
			return out, err
		}
		out.ResponseBody, err = k.keepBody(bodies.Response)
		return out, err
	})
}

// keepBody is a body, with a long or a binary one in a file next to the pictures, unless nothing is kept there.
func (k *Kit) keepBody(data []byte) (*Body, error) {
	if len(data) == 0 {
		return nil, nil
	}
	body := &Body{Bytes: len(data)}
	ext := ".bin"
	if utf8.Valid(data) {
		ext, body.Text = ".txt", result.VisibleLines(string(data))
		if len(data) <= toolkit.MaxInline {
			return body, nil
		}
		body.Text = result.VisibleLines(pagetext.ShortenRunes(string(data), toolkit.KeptBeginning))
	}
	body.Cut = true
	var err error
	body.Path, err = k.KeepFile(ext, data)
	return body, err
}

func visibleHeaders(list []host.Header) []host.Header {
	out := make([]host.Header, len(list))
	for i, h := range list {
		out[i] = host.Header{Name: result.Visible(h.Name), Value: result.Visible(h.Value)}
	}
	return out
}

// Text describes the request.
func (r RequestResult) Text() string {
	lines := []string{r.line()}
	for _, part := range []struct {
		name    string
		headers []host.Header
		body    *Body
	}{{"request", r.RequestHeaders, r.RequestBody}, {"response", r.ResponseHeaders, r.ResponseBody}} {
		lines = append(lines, part.name+" headers:")
		for _, h := range part.headers {
			lines = append(lines, "  "+h.Name+": "+h.Value)
		}
		if part.body != nil {
			lines = append(lines, part.name+" body, "+part.body.line())
		}
	}
	if t := r.Timing; t != nil {
		lines = append(lines, fmt.Sprintf("timing in ms (-1: none): blocked %.1f, dns %.1f, connect %.1f, ssl %.1f, send %.1f, wait %.1f, receive %.1f",
			t.Blocked, t.DNS, t.Connect, t.SSL, t.Send, t.Wait, t.Receive))
	}
	if r.Missing != "" {
		lines = append(lines, "a body is missing: "+result.Visible(r.Missing))
	}
	return strings.Join(lines, "\n")
}

func (b Body) line() string {
	text := fmt.Sprintf("%d bytes", b.Bytes)
	switch {
	case b.Path != "":
		text += ", all of it in " + b.Path
	case b.Cut && b.Text == "":
		text += ", not text, and files are not kept"
	case b.Cut:
		text += ", of which this is the beginning"
	}
	if b.Text != "" {
		text += ":\n" + b.Text
	}
	return text
}
