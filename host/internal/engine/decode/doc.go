// Package decode turns what the browser sends into what the state machine takes: the parameters of an event into an
// event of package supervise, and the result of a command into its reply. It decodes only what the state machine needs,
// and bounds texts whose length a page controls.
package decode
