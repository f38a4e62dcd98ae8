//go:build unix

package daemon

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

// receiver takes spans as a collector does.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*spans.Span
	about map[string]string // the resource
	bad   []string
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{about: map[string]string{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var got collector.ExportTraceServiceRequest
	body, err := io.ReadAll(q.Body)
	if err == nil {
		err = proto.Unmarshal(body, &got)
	}
	if err != nil || q.URL.Path != "/v1/traces" {
		r.bad = append(r.bad, fmt.Sprint(q.URL.Path, err))
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	for _, of := range got.ResourceSpans {
		for _, a := range of.Resource.Attributes {
			r.about[a.Key] = a.Value.GetStringValue()
		}
		for _, scope := range of.ScopeSpans {
			r.spans = append(r.spans, scope.Spans...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// attribute is one of a span, as text.
func attribute(s *spans.Span, key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return strings.TrimSpace(a.Value.GetStringValue())
		}
	}
	return ""
}

const (
	traceOfHTTP = "0af7651916cd43dd8448eb211c80319c"
	traceOfMCP  = "1bf7651916cd43dd8448eb211c80319d"
	callerSpan  = "b7ad6b7169203331"
)

// A call of an agent is a span, within the trace of its caller; its commands to the browser and the hooks that it set
// off are children of it.
func TestACallIsASpanWithWhatItDid(t *testing.T) {
	r := newReceiver(t)
	d := start(t, "browser: {executable: '"+hosttest.Executable(t)+"'}\notel: {endpoint: '"+r.URL+"'}\n")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<title>x</title><button id=b onclick="confirm('text of a page')">b</button>`)
	}))
	t.Cleanup(site.Close)
	call := func(tool, arguments, trace string) {
		t.Helper()
		q, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/v1/agent/tools/"+tool+"/call?task=mine", strings.NewReader(arguments))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", "application/json")
		if trace != "" {
			q.Header.Set("traceparent", "00-"+trace+"-"+callerSpan+"-01")
		}
		answer, err := d.client(operatorsSocket).Do(q)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v, %v", tool, answer, err)
		}
		_ = answer.Body.Close()
	}
	call("browser_navigate", `{"url":"`+site.URL+`"}`, traceOfHTTP)
	call("browser_click", `{"selector":"#b"}`, "") // which opens a dialog
	call("browser_dialog", `{"action":"dismiss"}`, "")

	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(ctx, &sdk.StreamableClientTransport{Endpoint: "http://localhost/mcp?task=mine", HTTPClient: d.client(operatorsSocket)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	params := &sdk.CallToolParams{Name: "browser_snapshot", Arguments: map[string]any{}, Meta: sdk.Meta{"traceparent": "00-" + traceOfMCP + "-" + callerSpan + "-01"}}
	if result, err := session.CallTool(ctx, params); err != nil || result.IsError {
		t.Fatalf("%+v, %v", result, err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	d.end() // which sends what is left

	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.bad) > 0 || r.about["service.name"] != "hermes-cdp" || r.about["service.version"] != "v-test" {
		t.Errorf("the receiver has got %v of %v", r.bad, r.about)
	}
	calls := map[string]*spans.Span{} // by tool
	children := map[string][]string{} // names, by the id of the parent
	for _, s := range r.spans {
		if s.Kind == spans.Span_SPAN_KIND_SERVER {
			calls[s.Name] = s
		}
		children[string(s.ParentSpanId)] = append(children[string(s.ParentSpanId)], s.Name)
		if strings.Contains(s.String(), "text of a page") {
			t.Errorf("a text of a page is in %v", s)
		}
	}
	for tool, want := range map[string]struct{ trace, child, code string }{
		"browser_navigate": {traceOfHTTP, "Page.navigate", ""},
		"browser_click":    {"", "hermes_on_dialog", "blocked_by_dialog"},
		"browser_dialog":   {"", "", ""},
		"browser_snapshot": {traceOfMCP, "Runtime.", ""},
	} {
		s := calls[tool]
		if s == nil {
			t.Errorf("%s has no span: %v", tool, children)
			continue
		}
		if want.trace != "" && (hex.EncodeToString(s.TraceId) != want.trace || hex.EncodeToString(s.ParentSpanId) != callerSpan) {
			t.Errorf("%s is in the trace %x of %x", tool, s.TraceId, s.ParentSpanId)
		}
		below := strings.Join(children[string(s.SpanId)], " ")
		if !strings.Contains(below, want.child) || attribute(s, "hermes_cdp.task") != "mine" || attribute(s, "error.type") != want.code {
			t.Errorf("%s has the children %s, code %q: %v", tool, below, attribute(s, "error.type"), s.Attributes)
		}
	}
	for _, s := range r.spans {
		if s.Name == "hermes_on_dialog" && attribute(s, "hermes_cdp.plugin") != "dialog-policy" {
			t.Errorf("the hook has %v", s.Attributes)
		}
	}
}

// A receiver that is not there delays no call, and not the end for long.
func TestAReceiverThatIsNotThereHarmsNothing(t *testing.T) {
	o, file := optionsOf(t, "otel: {endpoint: 'http://127.0.0.1:9'}\n")
	d := startWith(t, o, file)
	if code := d.statusOf(operatorsSocket, "", "POST", "/v1/agent/tools/nothing/call?task=mine", "{}"); code != http.StatusNotFound {
		t.Errorf("%d", code)
	}
	began := time.Now()
	d.end()
	if took := time.Since(began); took > 4*spansTimeout {
		t.Errorf("the end took %v", took)
	}
}
