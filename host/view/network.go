package view

import "time"

// Requests are what the pages, frames and workers of a task requested since the host has watched that.
type Requests struct {
	// Watched says whether requests are recorded at all.
	Watched bool
	// List has the most recent ones in the order in which they began.
	List []Request
	// Dropped counts the older ones, which were given up for newer ones.
	Dropped uint64
	// Missed counts events that came faster than the host could process them, in all tasks of the browser: a request may
	// be missing, or its end.
	Missed uint64
}

// Request is one request. A redirect ends a request and begins another one. All texts come from pages and servers.
type Request struct {
	// Number counts the requests of the task, from 1.
	Number uint64
	// TargetID is the tab; empty for a worker that several tabs share. FrameID is empty for a worker.
	TargetID, FrameID string
	Method, URL       string
	// Type is the browser's, in small letters: document, script, fetch, xhr, image, ...
	Type string
	// Initiator says who asked for it, such as "script https://example.org/app.js:10:3".
	Initiator string
	Began     time.Time
	// Took is the time until its end; 0 while it is under way.
	Took time.Duration
	// Ended says that it is over: Failure is then empty, or says why it failed.
	Ended   bool
	Failure string
	// BlockedBy names the plugin that blocked it, and says why; empty: none did.
	BlockedBy string
	// Status is that of the response; 0: there is none yet. Redirection is the URL of the request that follows.
	Status                                      int
	StatusText, MIMEType, Protocol, Redirection string
	// Size is what came over the network, in bytes, with the headers.
	Size                     int64
	FromCache, ServiceWorker bool
	// HasPostData says that the request has a body.
	HasPostData bool
	// The headers that the page and the server set, without cookies; the value of one that may be secret is redacted.
	RequestHeaders, ResponseHeaders []Header
	// Timing are the phases of the request; nil if the browser does not say.
	Timing *Timing
}

// Bodies are the bodies of a request and of its response. Missing says why one is not there that should be.
type Bodies struct {
	Request, Response []byte
	Missing           string
}

// Header is a header of a request or a response.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Timing are the phases of a request in milliseconds, as in an HTTP archive; -1: it did not apply.
type Timing struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	SSL     float64 `json:"ssl"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}
