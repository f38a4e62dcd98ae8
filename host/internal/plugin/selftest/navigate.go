package selftest

import (
	"errors"
	"fmt"
	"net/url"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func navigateEvent() []byte {
	return (&abi.NavigateEvent{
		Header:     madeUpHeader(),
		URL:        "https://example.org/",
		Origin:     "https://example.org",
		Method:     "GET",
		FrameID:    "F1",
		FrameKind:  abi.FrameKindTop,
		TargetID:   "T1",
		FromURL:    "https://example.com/",
		FromOrigin: "https://example.com",
		TopOrigin:  "https://example.com",
	}).Append(nil)
}

func checkNavigateVerdict(verdict []byte) error {
	var v abi.NavigateVerdict
	if err := v.Unmarshal(verdict); err != nil {
		return err
	}
	switch v.Action {
	case abi.NavigateActionAllow, abi.NavigateActionDeny:
		return nil
	case abi.NavigateActionRewrite:
		u, err := url.Parse(v.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return errors.New("rewrite requires an absolute http or https URL in url")
		}
		return nil
	}
	return fmt.Errorf("action %d is not allow (%d), deny (%d) or rewrite (%d)", v.Action, abi.NavigateActionAllow,
		abi.NavigateActionDeny, abi.NavigateActionRewrite)
}

// toolCallEvent calls a tool that no manifest declares, so refusing it is a good answer.
func toolCallEvent() []byte {
	return (&abi.ToolCallEvent{
		Header:   madeUpHeader(),
		Tool:     "self_test",
		TargetID: "T1",
		URL:      "https://example.com/",
		Origin:   "https://example.com",
		Page:     "null",
	}).Append(nil)
}

func checkToolResult(verdict []byte) error {
	var v abi.ToolResult
	return v.Unmarshal(verdict)
}
