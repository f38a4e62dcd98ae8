package control

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// TokenAPI manages the tokens of agents; see the methods of [access.Store].
type TokenAPI interface {
	// NewToken creates a token, which is shown only this once. Its toolsets must exist.
	NewToken(ctx context.Context, r access.Request) (access.Made, error)
	// Tokens lists all tokens, by name.
	Tokens(ctx context.Context) ([]access.Token, error)
	// RevokeToken ends a token and everything that is in progress with it.
	RevokeToken(ctx context.Context, name string) (access.Token, error)
}

// The paths of tokens.
const (
	pathTokens = "/v1/tokens"
	pathToken  = pathTokens + "/{name}"
)

func tokenRoutes(api TokenAPI) []route {
	return []route{
		{"POST " + pathTokens, "make a token for an agent", taking(api.NewToken)},
		{"GET " + pathTokens, "list the tokens of agents", of(api.Tokens)},
		{"DELETE " + pathToken, "revoke a token", ofName(api.RevokeToken)},
	}
}

// errNoTokens says that a host without a daemon has no tokens.
var errNoTokens = fmt.Errorf("%w: tokens need a daemon", fault.ErrUnsupported)

// NewToken implements [API].
func (l *Local) NewToken(_ context.Context, r access.Request) (access.Made, error) {
	if l.AgentTokens == nil {
		return access.Made{}, errNoTokens
	}
	if l.CheckToolsets != nil {
		if err := l.CheckToolsets(r.Toolsets); err != nil {
			return access.Made{}, fmt.Errorf("%w: %w", fault.ErrBadToken, err)
		}
	}
	return l.AgentTokens.New(r)
}

// Tokens implements [API].
func (l *Local) Tokens(context.Context) ([]access.Token, error) {
	if l.AgentTokens == nil {
		return nil, errNoTokens
	}
	return l.AgentTokens.List()
}

// RevokeToken implements [API].
func (l *Local) RevokeToken(_ context.Context, name string) (access.Token, error) {
	if l.AgentTokens == nil {
		return access.Token{}, errNoTokens
	}
	return l.AgentTokens.Revoke(name)
}

// NewToken implements [API].
func (c *Client) NewToken(ctx context.Context, r access.Request) (access.Made, error) {
	return call[access.Made](ctx, c, "POST", pathTokens, nil, r)
}

// Tokens implements [API].
func (c *Client) Tokens(ctx context.Context) ([]access.Token, error) {
	return call[[]access.Token](ctx, c, "GET", pathTokens, nil, nil)
}

// RevokeToken implements [API].
func (c *Client) RevokeToken(ctx context.Context, name string) (access.Token, error) {
	return call[access.Token](ctx, c, "DELETE", strings.Replace(pathToken, "{name}", url.PathEscape(name), 1), nil, nil)
}
