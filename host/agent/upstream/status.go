package upstream

import "time"

// State is how a server is.
type State string

// The states of a server.
const (
	StateStarting State = "starting" // it has not answered yet
	StateReady    State = "ready"
	StateFailed   State = "failed" // it could not be started or reached, or has ended; it is tried again
	StateDisabled State = "disabled"
)

// Status is what there is to say of a server. It has no secrets.
type Status struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	// Program is what the server says it is; untrusted text.
	Program string `json:"program,omitempty"`
	// Tools are the names under which its tools are offered, by name.
	Tools []string `json:"tools,omitempty"`
	// Error is why it is not ready, or why its tools could not be listed again.
	Error string `json:"error,omitempty"`
	// RetryAt is when it is tried again, where it is waited for.
	RetryAt *time.Time `json:"retry_at,omitempty"`
	// Restarts is how often it has been there again after an end.
	Restarts int `json:"restarts,omitempty"`
	// Unmatched are entries of include and exclude that fit no tool of the server: mostly they are misspelt.
	Unmatched []string `json:"unmatched,omitempty"`
	// LeftOut are tools that can not be offered, and why.
	LeftOut []string `json:"left_out,omitempty"`
}
