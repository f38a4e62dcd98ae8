package upstream

import "time"

// State is the state of a server.
type State string

// The states of a server.
const (
	StateStarting State = "starting" // it has not answered yet
	StateReady    State = "ready"
	StateFailed   State = "failed" // it could not be started or reached, or has ended; the host retries
	StateDisabled State = "disabled"
)

// Status describes a server. It contains no secrets.
type Status struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	// Program is the server's own name and version; untrusted text.
	Program string `json:"program,omitempty"`
	// Tools are the names under which its tools are offered, sorted.
	Tools []string `json:"tools,omitempty"`
	// Error says why it is not ready, or why its tools could not be listed again.
	Error string `json:"error,omitempty"`
	// RetryAt is the time of the next attempt, if there is one.
	RetryAt *time.Time `json:"retry_at,omitempty"`
	// Restarts is how often it came back after it ended.
	Restarts int `json:"restarts,omitempty"`
	// Unmatched are entries of include and exclude that match no tool, mostly because of a typo.
	Unmatched []string `json:"unmatched,omitempty"`
	// LeftOut are tools that cannot be offered, and why.
	LeftOut []string `json:"left_out,omitempty"`
}
