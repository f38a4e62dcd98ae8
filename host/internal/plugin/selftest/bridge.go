package selftest

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func bridgeScriptEvent() []byte {
	return (&abi.BridgeScriptEvent{
		Header:       madeUpHeader(),
		PauseToken:   "00112233445566778899aabbccddeeff",
		RequestToken: "ffeeddccbbaa99887766554433221100",
	}).Append(nil)
}

func checkBridgeScript(verdict []byte) error {
	var v abi.BridgeScript
	if err := v.Unmarshal(verdict); err != nil {
		return err
	}
	switch {
	case v.Source == "":
		return errors.New("the script is empty")
	case v.SourceURL == "" && len(v.RequestPatterns) == 0:
		return errors.New("the script has neither a source_url, which it needs to pause, nor request_patterns, so it cannot reach the host")
	case v.SourceURL != "" && v.PauseExpression == "":
		return errors.New("the script pauses, but pause_expression is empty")
	}
	return nil
}

// bridgeRequestEvent is a request that no script made, so abstaining is a good answer.
func bridgeRequestEvent() []byte {
	return (&abi.BridgeRequestEvent{
		Header:   madeUpHeader(),
		Via:      abi.BridgeViaRequest,
		Payload:  "https://example.com/",
		Method:   "GET",
		FrameURL: "https://example.com/",
		Origin:   "https://example.com",
	}).Append(nil)
}

func checkBridgeRequest(verdict []byte) error {
	var v abi.BridgeRequest
	return v.Unmarshal(verdict)
}

func bridgeReplyEvent() []byte {
	return (&abi.BridgeReplyEvent{
		Header:   madeUpHeader(),
		Via:      abi.BridgeViaRequest,
		Type:     abi.DialogTypePrompt,
		Accepted: true,
		HasText:  true,
		Text:     "text",
		Payload:  "https://example.com/",
	}).Append(nil)
}

func checkBridgeReply(verdict []byte) error {
	var v abi.BridgeReply
	if err := v.Unmarshal(verdict); err != nil {
		return err
	}
	if v.Status < 200 || v.Status > 599 {
		return errors.New("the reply to a request has no HTTP status from 200 to 599")
	}
	return nil
}
