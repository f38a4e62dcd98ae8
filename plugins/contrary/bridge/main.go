// A bridge module for tests: another host name, another protocol, and no pause.
package main

import (
	_ "embed" // for the script
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/bridge"
)

// shim is a function of the token.
//
//go:embed shim.js
var shim string

const address = "http://contrary-dialogs.invalid/"

type contrary struct{}

func init() { bridge.Handle(contrary{}) }

// Script calls the shim with the token, which is hexadecimal and needs no escaping.
func (contrary) Script(e bridge.ScriptEvent) (bridge.Script, error) {
	return bridge.Script{
		Source:          shim + `("` + e.RequestToken + `");`,
		RequestPatterns: []string{address + "*"},
		Rule:            "contrary bridge",
	}, nil
}

// Request reads the type from the path, and the rest from the form in the body.
func (contrary) Request(e bridge.RequestEvent) (bridge.Request, error) {
	path, found := strings.CutPrefix(e.Payload, address)
	kind, ok := abi.ParseDialogType(path)
	isPost := e.Via == abi.BridgeViaRequest && e.Method == "POST" //nolint:usestdlibvars // net/http has no place in a guest
	if !isPost || !found || !ok {
		return bridge.Request{}, bridge.Abstain
	}
	return bridge.Request{
		Type: kind, Token: word(e.Body, "token"), Message: word(e.Body, "message"),
		DefaultPrompt: word(e.Body, "preset"), Key: word(e.Body, "number"),
	}, nil
}

// Reply says yes or no, and on a second line the percent-encoded text.
func (contrary) Reply(e bridge.ReplyEvent) (bridge.Reply, error) {
	body := []byte("no")
	if e.Accepted {
		body = []byte("yes")
	}
	if e.Accepted && e.HasText {
		body = append(body, '\n')
		const digits = "0123456789ABCDEF"
		for i := range len(e.Text) {
			body = append(body, '%', digits[e.Text[i]>>4], digits[e.Text[i]&15])
		}
	}
	return bridge.Reply{Status: 200, Body: body, Headers: []abi.HTTPHeader{{Name: "Access-Control-Allow-Origin", Value: "*"}}}, nil
}

// word reads one value of application/x-www-form-urlencoded.
func word(form, name string) string {
	for form != "" {
		var pair string
		pair, form, _ = strings.Cut(form, "&")
		if key, value, _ := strings.Cut(pair, "="); key == name {
			return decode(value)
		}
	}
	return ""
}

func decode(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			out = append(out, ' ')
		case s[i] == '%' && i+2 < len(s):
			out = append(out, nibble(s[i+1])<<4|nibble(s[i+2]))
			i += 2
		default:
			out = append(out, s[i])
		}
	}
	return string(out)
}

// nibble reads a hexadecimal digit as URLSearchParams writes it.
func nibble(c byte) byte {
	if c >= 'A' {
		return c - 'A' + 10
	}
	return c - '0'
}

// main never runs: the host calls exports.
func main() {}
