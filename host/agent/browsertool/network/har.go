package network

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// An HTTP archive, version 1.2: http://www.softwareishard.com/blog/har-12-spec/. Bodies and cookies are left out, and
// the values of headers that may be secret. -1 is the format's word for unknown.
type (
	harFile struct {
		Log harLog `json:"log"`
	}
	harLog struct {
		Version string     `json:"version"`
		Creator harCreator `json:"creator"`
		Entries []harEntry `json:"entries"`
	}
	harCreator struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	harEntry struct {
		Started  time.Time   `json:"startedDateTime"`
		Time     float64     `json:"time"`
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  host.Timing `json:"timings"`
		Type     string      `json:"_resourceType,omitempty"`
		Cached   bool        `json:"_fromCache,omitempty"`
	}
	harRequest struct {
		Method      string        `json:"method"`
		URL         string        `json:"url"`
		HTTPVersion string        `json:"httpVersion"`
		Cookies     []host.Header `json:"cookies"`
		Headers     []host.Header `json:"headers"`
		Query       []host.Header `json:"queryString"`
		HeadersSize int           `json:"headersSize"`
		BodySize    int           `json:"bodySize"`
	}
	harResponse struct {
		Status      int           `json:"status"`
		StatusText  string        `json:"statusText"`
		HTTPVersion string        `json:"httpVersion"`
		Cookies     []host.Header `json:"cookies"`
		Headers     []host.Header `json:"headers"`
		Content     harContent    `json:"content"`
		RedirectURL string        `json:"redirectURL"`
		HeadersSize int           `json:"headersSize"`
		BodySize    int           `json:"bodySize"`
		Size        int64         `json:"_transferSize"`
		Error       string        `json:"_error,omitempty"`
	}
	harContent struct {
		Size     int    `json:"size"`
		MIMEType string `json:"mimeType"`
	}
)

// keepHAR writes requests into a file next to the pictures.
func (k *Kit) keepHAR(list []host.Request) (string, error) {
	data, err := json.MarshalIndent(archive(list), "", " ")
	if err != nil {
		return "", err
	}
	path, err := k.KeepFile(".har", data)
	if err == nil && path == "" {
		err = result.BadArgument("har", "no directory for files is configured; list the requests instead")
	}
	return path, err
}

func archive(list []host.Request) harFile {
	log := harLog{Version: "1.2", Creator: harCreator{Name: "hermes-cdp", Version: "1"}, Entries: []harEntry{}}
	for _, r := range list {
		none := []host.Header{}
		e := harEntry{
			Started: r.Began, Time: float64(r.Took) / float64(time.Millisecond), Timings: host.Timing{Blocked: -1, DNS: -1, Connect: -1, SSL: -1},
			Type: r.Type, Cached: r.FromCache,
			Request: harRequest{
				Method: r.Method, URL: r.URL, HTTPVersion: r.Protocol, Cookies: none, Headers: append(none, r.RequestHeaders...), Query: query(r.URL),
				HeadersSize: -1, BodySize: -1,
			},
			Response: harResponse{
				Status: r.Status, StatusText: r.StatusText, HTTPVersion: r.Protocol, Cookies: none, Headers: append(none, r.ResponseHeaders...),
				Content: harContent{Size: -1, MIMEType: r.MIMEType}, RedirectURL: r.Redirection, HeadersSize: -1, BodySize: -1, Size: r.Size, Error: r.Failure,
			},
		}
		if r.Timing != nil {
			e.Timings = *r.Timing
		}
		log.Entries = append(log.Entries, e)
	}
	return harFile{log}
}

// query lists the parameters of a URL as they are there, in their order.
func query(address string) []host.Header {
	list := []host.Header{}
	u, err := url.Parse(address)
	if err != nil {
		return list
	}
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		if name, value, _ := strings.Cut(part, "="); part != "" {
			list = append(list, host.Header{Name: unescaped(name), Value: unescaped(value)})
		}
	}
	return list
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}
