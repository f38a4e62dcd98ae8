package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/config"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// isAgent tells whether commands act as an agent, and not as the operator.
func (a *app) isAgent() bool { return a.tokenFile != "" || a.tokenVariable() != "" }

// tokenVariable is the token in the environment; the last of two equal names counts, as in os/exec.
func (a *app) tokenVariable() (token string) {
	for _, item := range a.environ {
		if name, value, _ := strings.Cut(item, "="); name == config.EnvToken {
			token = value
		}
	}
	return strings.TrimSpace(token)
}

// client reaches the daemon: as the operator, by its socket or port; as an agent, by the agents' socket or the port.
func (a *app) client(cfg *config.Config) (*control.Client, error) {
	c := cfg.Control
	if a.isAgent() {
		token, err := a.agentToken()
		switch {
		case err != nil:
			return nil, usageError{err}
		case c.Address == "":
			return control.NewAgentsSocketClient(c.AgentsSocket, token, a.report.IsSet("control.agents_socket")), nil
		}
		return control.NewClient(c.Address, token), nil
	}
	if c.Address == "" {
		return control.NewSocketClient(c.Socket), nil
	}
	token, err := control.ReadToken(c.TokenFile)
	if err != nil {
		return nil, errors.Join(control.ErrNoDaemon, err)
	}
	return control.NewClient(c.Address, token), nil
}

// agentToken is the token that is given. The file is stronger than the variable, as flags are.
func (a *app) agentToken() (string, error) {
	if a.tokenFile == "" {
		return a.tokenVariable(), nil
	}
	token, err := access.ReadSecret(a.tokenFile)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	return token, nil
}
