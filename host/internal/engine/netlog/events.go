package netlog

import (
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/decode"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// Logs reports whether events of a method make up the log.
func Logs(method string) bool { return events[method] != nil }

// Methods are those of the events that make up the log.
func Methods() iter.Seq[string] { return maps.Keys(events) }

// Hear takes an event of one of the [Methods]. From is the place that the session that reports it has in the task.
func (n *Log) Hear(from supervise.ScriptTarget, method string, params []byte) error {
	return events[method](n, from, params)
}

// events are decoded one by one.
var events = map[string]func(*Log, supervise.ScriptTarget, []byte) error{
	"Network.requestWillBeSent":      noting((*Log).sent),
	"Network.requestServedFromCache": noting((*Log).cached),
	"Network.responseReceived":       noting((*Log).received),
	"Network.loadingFinished":        noting((*Log).finished),
	"Network.loadingFailed":          noting((*Log).failed),
}

func noting[E any](note func(*Log, supervise.ScriptTarget, E)) func(*Log, supervise.ScriptTarget, []byte) error {
	return func(log *Log, from supervise.ScriptTarget, params []byte) error {
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

type requestSent struct {
	RequestID network.RequestID  `json:"requestId"`
	Timestamp float64            `json:"timestamp"`
	WallTime  float64            `json:"wallTime"`
	Type      string             `json:"type"`
	FrameID   string             `json:"frameId"`
	Loader    cdproto.LoaderID   `json:"loaderId"`
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
func (n *Log) sent(from supervise.ScriptTarget, e requestSent) {
	switch before := n.latest[e.RequestID]; {
	case before == nil:
	case e.Redirect != nil:
		before.answered(e.Redirect)
		before.Redirection = secret.WithoutUser(e.Request.URL)
		before.ended(e.Timestamp, e.Redirect.Size)
		n.grew(before)
	default:
		before.Session = from.Session
		return
	}
	n.number++
	x := &Exchange{ID: e.RequestID, Session: from.Session, loader: e.Loader, began: e.Timestamp, heard: time.Now()}
	x.Number, x.TargetID, x.FrameID = n.number, string(from.Page), e.FrameID
	x.Method, x.URL, x.Type = e.Request.Method, secret.WithoutUser(e.Request.URL+e.Request.URLFragment), strings.ToLower(e.Type)
	x.Initiator, x.Began, x.HasPostData = initiator(e.Initiator), time.UnixMicro(int64(e.WallTime*1e6)), e.Request.HasPostData
	x.RequestHeaders = headers(e.Request.Headers, n.hidden)
	if n.latest == nil {
		n.latest = map[network.RequestID]*Exchange{}
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

func (n *Log) cached(_ supervise.ScriptTarget, e requestCached) {
	if x := n.latest[e.RequestID]; x != nil {
		x.FromCache = true
	}
}

type responseReceived struct {
	RequestID network.RequestID `json:"requestId"`
	Type      string            `json:"type"`
	Response  response          `json:"response"`
}

func (n *Log) received(from supervise.ScriptTarget, e responseReceived) {
	if x := n.latest[e.RequestID]; x != nil {
		x.Session = from.Session
		x.answered(&e.Response)
		n.grew(x)
	}
}

type loadingFinished struct {
	RequestID network.RequestID `json:"requestId"`
	Timestamp float64           `json:"timestamp"`
	Size      float64           `json:"encodedDataLength"`
}

func (n *Log) finished(_ supervise.ScriptTarget, e loadingFinished) {
	if x := n.latest[e.RequestID]; x != nil {
		x.ended(e.Timestamp, e.Size)
		x.Failure = "" // it outlived its document
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

func (n *Log) failed(_ supervise.ScriptTarget, e loadingFailed) {
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
func (x *Exchange) answered(r *response) {
	x.Status, x.StatusText, x.MIMEType, x.Protocol = r.Status, r.StatusText, r.MIMEType, r.Protocol
	x.FromCache = x.FromCache || r.DiskCache || r.PrefetchCache
	x.ServiceWorker, x.Size, x.timing = r.ServiceWorker, int64(r.Size), r.Timing
	x.ResponseHeaders = headers(r.Headers, nil)
}

func (x *Exchange) ended(at, size float64) {
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

func initiator(i *network.Initiator) string {
	if i == nil {
		return ""
	}
	return strings.TrimSpace(string(i.Type) + " " + decode.Position(i.Stack, i.URL, int64(i.LineNumber), int64(i.ColumnNumber)))
}
