// Package agents has tests of the agents' tools on a real browser: every tool in every kind of place that a page has,
// and every error. They call [agent.Registry] with JSON, as a server does for an agent, and look at what came of it
// with the page's own eyes: its log of the events that it got.
package agents
