package main

import (
	_ "embed" // for the script
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/bridge"
)

// shim is a function of the tokens, the URL for requests, the longest message, and the time that a page waits.
//
//go:embed shim.js
var shim string

// hybrid pauses if possible, and otherwise sends a request.
type hybrid struct{ *settings }

// Script calls the shim with the task's tokens. The name of the script is hard to guess, so that a page's own debugger
// statements do not pause by accident; it is not a secret.
func (h hybrid) Script(e bridge.ScriptEvent) (bridge.Script, error) {
	name := "hermes-bridge-" + hex(e.Header.RandomSeed) + ".js"
	return bridge.Script{
		Source: shim + "(" + quoted(e.PauseToken) + "," + quoted(e.RequestToken) + "," + quoted(h.address) + "," +
			sdk.Decimal(h.maxMessage) + "," + sdk.Decimal(h.waitMs) + ");\n//# sourceURL=" + name + "\n",
		SourceURL:       name,
		PauseExpression: "(hermes.seen = true, hermes.request)",
		RequestPatterns: []string{h.address + "*"},
		Rule:            "pause, then request",
	}, nil
}

// Request parses what the shim's ask wrote.
func (h hybrid) Request(e bridge.RequestEvent) (bridge.Request, error) {
	payload := e.Payload
	if e.Via == abi.BridgeViaRequest {
		query, found := strings.CutPrefix(payload, h.address+"?")
		var ok bool
		payload, ok = unescape(query)
		if !ok || !found || e.Method != "GET" { //nolint:usestdlibvars // net/http has no place in a guest
			return bridge.Request{}, bridge.Abstain
		}
	}
	fields, ok := split(payload)
	if !ok {
		return bridge.Request{}, bridge.Abstain
	}
	out := bridge.Request{Token: fields[0], Message: fields[2], DefaultPrompt: fields[3], Key: fields[4]}
	if out.Type, ok = abi.ParseDialogType(fields[1]); !ok || out.Type == abi.DialogTypeBeforeUnload {
		return bridge.Request{}, bridge.Abstain
	}
	if out.Suppressed, ok = abi.ParseBridgeSuppressed(fields[5]); !ok && fields[5] != "" {
		return bridge.Request{}, bridge.Abstain
	}
	return out, nil
}

// Reply builds what the shim's pause and fetch read.
func (h hybrid) Reply(e bridge.ReplyEvent) (bridge.Reply, error) {
	switch e.Via {
	case abi.BridgeViaPause:
		accepted, text := "false", "undefined"
		if e.Accepted {
			accepted = "true"
		}
		if e.Accepted && e.HasText {
			text = quoted(e.Text)
		}
		return bridge.Reply{Expression: "hermes.answer = {__proto__: null, accepted: " + accepted + ", text: " + text + "}"}, nil
	case abi.BridgeViaRequest:
		body := []byte{'0'}
		switch {
		case e.Accepted && e.HasText:
			body = append([]byte{'2'}, e.Text...)
		case e.Accepted:
			body[0] = '1'
		}
		return bridge.Reply{Status: 200, Body: body, Headers: []abi.HTTPHeader{
			{Name: "Access-Control-Allow-Origin", Value: "*"},
			{Name: "Cache-Control", Value: "no-store"},
			{Name: "Content-Type", Value: "text/plain; charset=utf-8"},
		}}, nil
	default:
		return bridge.Reply{}, sdk.Error("a reply is wanted for something that is neither a pause nor a request")
	}
}
