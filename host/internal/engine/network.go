package engine

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/decode"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// The bounds of what is kept of a task's requests; the oldest ones go first.
const (
	maxRequests     = 1000
	maxRequestBytes = 4 << 20
)

// networkLog has the recent requests of a task. The owner of the connection writes it, without waiting for a reader
// longer than a copy takes.
type networkLog struct {
	mu      sync.Mutex
	watched bool
	list    []*exchange
	latest  map[network.RequestID]*exchange // the last hop of each request
	bytes   int
	number  uint64
	dropped uint64
	blocked map[network.RequestID]blockedNote // not announced yet; see noteBlocked
	hidden  map[string]bool                   // the names, in small letters, of headers that somebody has added
}

// hide keeps the values of headers out of the log from now on.
func (n *networkLog) hide(added view.Headers) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for name := range added {
		if n.hidden == nil {
			n.hidden = map[string]bool{}
		}
		n.hidden[strings.ToLower(name)] = true
	}
}

// exchange is a request and its response.
type exchange struct {
	view.Request
	id      network.RequestID
	session target.SessionID // which has the body
	began   float64          // of the browser's own clock, in seconds
	timing  *network.ResourceTiming
	bytes   int
	heard   time.Time // when its beginning was announced
}

// networkEvents are the events that make up the log, decoded one by one.
var networkEvents = map[string]func(*networkLog, supervise.ScriptTarget, []byte) error{
	"Network.requestWillBeSent":      noting((*networkLog).sent),
	"Network.requestServedFromCache": noting((*networkLog).cached),
	"Network.responseReceived":       noting((*networkLog).received),
	"Network.loadingFinished":        noting((*networkLog).finished),
	"Network.loadingFailed":          noting((*networkLog).failed),
}

func noting[E any](note func(*networkLog, supervise.ScriptTarget, E)) func(*networkLog, supervise.ScriptTarget, []byte) error {
	return func(log *networkLog, from supervise.ScriptTarget, params []byte) error {
		var event E
		if err := cdp.Unmarshal(params, &event); err != nil {
			return err
		}
		log.mu.Lock()
		defer log.mu.Unlock()
		note(log, from, event)
		return nil
	}
}

// noteNetwork passes an event of the network to the log of the task whose session reports it.
func (l *Link) noteNetwork(m cdp.Message, note func(*networkLog, supervise.ScriptTarget, []byte) error) {
	id, from := l.state.RequestsOf(target.SessionID(m.SessionID))
	t := l.tasks[id]
	if t == nil {
		return // an agent's own session reports them
	}
	if err := note(&t.network, from, m.Params); err != nil {
		l.noteUndecodable(m, err)
		return
	}
	l.decoded++
}

type requestSent struct {
	RequestID network.RequestID  `json:"requestId"`
	Timestamp float64            `json:"timestamp"`
	WallTime  float64            `json:"wallTime"`
	Type      string             `json:"type"`
	FrameID   string             `json:"frameId"`
	Initiator *network.Initiator `json:"initiator"`
	Redirect  *response          `json:"redirectResponse"`
	Request   struct {
		Method      string         `json:"method"`
		URL         string         `json:"url"`
		URLFragment string         `json:"urlFragment"`
		Headers     map[string]any `json:"headers"`
		HasPostData bool           `json:"hasPostData"`
	} `json:"request"`
}

type response struct {
	Status        int                     `json:"status"`
	StatusText    string                  `json:"statusText"`
	Headers       map[string]any          `json:"headers"`
	MIMEType      string                  `json:"mimeType"`
	Protocol      string                  `json:"protocol"`
	DiskCache     bool                    `json:"fromDiskCache"`
	PrefetchCache bool                    `json:"fromPrefetchCache"`
	ServiceWorker bool                    `json:"fromServiceWorker"`
	Size          float64                 `json:"encodedDataLength"`
	Timing        *network.ResourceTiming `json:"timing"`
}

// sent begins a request. The next hop of a redirect has the id of the first, and brings its response. A frame that
// moves to another process may have its document announced on both sessions.
func (n *networkLog) sent(from supervise.ScriptTarget, e requestSent) {
	switch before := n.latest[e.RequestID]; {
	case before == nil:
	case e.Redirect != nil:
		before.answered(e.Redirect)
		before.Redirection = secret.WithoutUser(e.Request.URL)
		before.ended(e.Timestamp, e.Redirect.Size)
		n.grew(before)
	default:
		before.session = from.Session
		return
	}
	n.number++
	x := &exchange{id: e.RequestID, session: from.Session, began: e.Timestamp, heard: time.Now()}
	x.Number, x.TargetID, x.FrameID = n.number, string(from.Page), e.FrameID
	x.Method, x.URL, x.Type = e.Request.Method, secret.WithoutUser(e.Request.URL+e.Request.URLFragment), strings.ToLower(e.Type)
	x.Initiator, x.Began, x.HasPostData = initiator(e.Initiator), time.UnixMicro(int64(e.WallTime*1e6)), e.Request.HasPostData
	x.RequestHeaders = headers(e.Request.Headers, n.hidden)
	if n.latest == nil {
		n.latest = map[network.RequestID]*exchange{}
	}
	n.latest[e.RequestID] = x
	n.list = append(n.list, x)
	n.grew(x)
	if note, ok := n.blocked[e.RequestID]; ok && n.explains(x, note) {
		delete(n.blocked, e.RequestID)
	}
}

type requestCached struct {
	RequestID network.RequestID `json:"requestId"`
}

func (n *networkLog) cached(_ supervise.ScriptTarget, e requestCached) {
	if x := n.latest[e.RequestID]; x != nil {
		x.FromCache = true
	}
}

type responseReceived struct {
	RequestID network.RequestID `json:"requestId"`
	Type      string            `json:"type"`
	Response  response          `json:"response"`
}

func (n *networkLog) received(from supervise.ScriptTarget, e responseReceived) {
	if x := n.latest[e.RequestID]; x != nil {
		x.session = from.Session
		x.answered(&e.Response)
		n.grew(x)
	}
}

type loadingFinished struct {
	RequestID network.RequestID `json:"requestId"`
	Timestamp float64           `json:"timestamp"`
	Size      float64           `json:"encodedDataLength"`
}

func (n *networkLog) finished(_ supervise.ScriptTarget, e loadingFinished) {
	if x := n.latest[e.RequestID]; x != nil {
		x.ended(e.Timestamp, e.Size)
	}
}

type loadingFailed struct {
	RequestID network.RequestID `json:"requestId"`
	Timestamp float64           `json:"timestamp"`
	ErrorText string            `json:"errorText"`
	Canceled  bool              `json:"canceled"`
	Blocked   string            `json:"blockedReason"`
	CORS      *struct {
		Error string `json:"corsError"`
	} `json:"corsErrorStatus"`
}

func (n *networkLog) failed(_ supervise.ScriptTarget, e loadingFailed) {
	x := n.latest[e.RequestID]
	if x == nil {
		return
	}
	x.ended(e.Timestamp, float64(x.Size))
	why := []string{e.ErrorText}
	if e.Canceled {
		why = append(why, "canceled")
	}
	if e.Blocked != "" {
		why = append(why, "blocked: "+e.Blocked)
	}
	if e.CORS != nil {
		why = append(why, "CORS: "+e.CORS.Error)
	}
	x.Failure = strings.Join(slices.DeleteFunc(why, func(s string) bool { return s == "" }), ", ")
	n.grew(x)
}

// answered notes the response. The cache may be known already.
func (x *exchange) answered(r *response) {
	x.Status, x.StatusText, x.MIMEType, x.Protocol = r.Status, r.StatusText, r.MIMEType, r.Protocol
	x.FromCache = x.FromCache || r.DiskCache || r.PrefetchCache
	x.ServiceWorker, x.Size, x.timing = r.ServiceWorker, int64(r.Size), r.Timing
	x.ResponseHeaders = headers(r.Headers, nil)
}

func (x *exchange) ended(at, size float64) {
	x.Ended, x.Took, x.Size = true, time.Duration(max(0, at-x.began)*float64(time.Second)), int64(size)
	x.Timing = phases(x.timing, at)
}

// phases turns the moments of a request, milliseconds after its beginning or -1, into the time that each phase took.
func phases(t *network.ResourceTiming, end float64) *view.Timing {
	if t == nil {
		return nil
	}
	between := func(from, to float64) float64 {
		if from < 0 || to < 0 {
			return -1
		}
		return max(0, to-from)
	}
	whole := (end - t.RequestTime) * 1000
	first := math.Inf(1)
	for _, at := range []float64{t.DNSStart, t.ConnectStart, t.SendStart} {
		if at >= 0 {
			first = min(first, at)
		}
	}
	if math.IsInf(first, 1) {
		first = -1
	}
	return &view.Timing{
		Blocked: first, DNS: between(t.DNSStart, t.DNSEnd), Connect: between(t.ConnectStart, t.ConnectEnd), SSL: between(t.SslStart, t.SslEnd),
		Send: max(0, between(t.SendStart, t.SendEnd)), Wait: max(0, between(t.SendEnd, t.ReceiveHeadersEnd)), Receive: max(0, between(t.ReceiveHeadersEnd, whole)),
	}
}

// grew counts again what a request takes, and drops the oldest ones above the bounds.
func (n *networkLog) grew(x *exchange) {
	size := 256 + len(x.URL) + len(x.Method) + len(x.Initiator) + len(x.Redirection) + len(x.Failure) + len(x.BlockedBy) + len(x.StatusText)
	for _, h := range slices.Concat(x.RequestHeaders, x.ResponseHeaders) {
		size += 32 + len(h.Name) + len(h.Value)
	}
	n.bytes += size - x.bytes
	x.bytes = size
	for len(n.list) > maxRequests || n.bytes > maxRequestBytes {
		oldest := n.list[0]
		n.list[0] = nil
		n.list = n.list[1:]
		n.bytes -= oldest.bytes
		n.dropped++
		if n.latest[oldest.id] == oldest {
			delete(n.latest, oldest.id)
		}
	}
}

// headers lists headers by name. Secrets are not even kept.
func headers(of map[string]any, hidden map[string]bool) []view.Header {
	list := make([]view.Header, 0, len(of))
	for _, name := range slices.Sorted(maps.Keys(of)) {
		value := fmt.Sprint(of[name])
		if secret.Name(name) || hidden[strings.ToLower(name)] {
			value = secret.Redacted
		}
		list = append(list, view.Header{Name: name, Value: value})
	}
	return list
}

func initiator(i *network.Initiator) string {
	if i == nil {
		return ""
	}
	return strings.TrimSpace(string(i.Type) + " " + decode.Position(i.Stack, i.URL, int64(i.LineNumber), int64(i.ColumnNumber)))
}

// WatchNetwork begins to record the requests of the task, unless it is done already. What is sent to a page after this
// call is recorded.
func (t *Task) WatchNetwork() {
	t.network.mu.Lock()
	first := !t.network.watched
	t.network.watched = true
	t.network.mu.Unlock()
	if first {
		t.Post(supervise.WatchNetwork{Task: t.id})
	}
}

// Requests returns the recorded requests.
func (t *Task) Requests() view.Requests {
	_, missed := t.Link.inbox.droppedEvents()
	n := &t.network
	n.mu.Lock()
	defer n.mu.Unlock()
	r := view.Requests{Watched: n.watched, Dropped: n.dropped, Missed: missed, List: make([]view.Request, len(n.list))}
	for i, x := range n.list {
		r.List[i] = x.Request
	}
	return r
}

// answering are the types of requests whose answers change a page.
var answering = []string{"document", "fetch", "script", "xhr"}

// AwaitsAnswers reports whether a tab has asked for something within age that may change its page, and has no answer
// yet. What has been open for longer is a connection that the page keeps.
func (t *Task) AwaitsAnswers(tab string, age time.Duration) bool {
	n := &t.network
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, x := range slices.Backward(n.list) {
		if time.Since(x.heard) > age {
			return false
		}
		if x.TargetID == tab && !x.Ended && slices.Contains(answering, x.Type) {
			return true
		}
	}
	return false
}

// Bodies asks the browser for the bodies of a request. The session that reported it has them, until its page is left or
// newer ones displace them.
func (op *Operation) Bodies(number uint64) (view.Bodies, error) {
	x, err := op.task.network.find(number)
	if err != nil {
		return view.Bodies{}, err
	}
	place, ok := askOwner(op.task.Link, func() supervise.ScriptTarget {
		_, place := op.task.Link.state.RequestsOf(x.session)
		return place
	})
	if !ok || place.Session == "" {
		return view.Bodies{Missing: "its page, frame or worker is gone"}, nil
	}
	if x.FrameID != "" {
		if _, err := op.Locate(supervise.FrameSelector{Frame: cdproto.FrameID(x.FrameID)}); errors.Is(err, fault.ErrFrameFiltered) {
			return view.Bodies{}, err
		}
	}
	var b view.Bodies
	if x.HasPostData {
		var post network.GetRequestPostDataResult
		if b.Missing, err = op.body(place, network.CommandGetRequestPostData, &network.GetRequestPostDataParams{RequestID: x.id}, &post); err != nil {
			return b, err
		}
		b.Request = post.PostData
	}
	switch {
	case x.Redirection != "" || !x.Ended: // a redirect has none that the browser keeps
		return b, nil
	case x.Failure != "" && x.Status == 0:
		return b, nil
	}
	var body network.GetResponseBodyResult
	if b.Missing, err = op.body(place, network.CommandGetResponseBody, &network.GetResponseBodyParams{RequestID: x.id}, &body); err != nil {
		return b, err
	}
	b.Response = body.Body
	return b, nil
}

// body asks for one body. That the browser refuses is no error, but the reason why it is missing.
func (op *Operation) body(place supervise.ScriptTarget, method string, params, result any) (missing string, err error) {
	err = op.Do(&Call{Method: method, Params: params, Call: schedule.Call{At: &place}}, result)
	var refused *fault.ProtocolError
	if errors.As(err, &refused) {
		return "the browser does not have it: " + refused.Message, nil
	}
	return "", err
}

func (n *networkLog) find(number uint64) (exchange, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, x := range n.list {
		if x.Number == number {
			return *x, nil
		}
	}
	return exchange{}, fmt.Errorf("%w: there is no request r%d; it may have been dropped for newer ones", fault.ErrBadArguments, number)
}
