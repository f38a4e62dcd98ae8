package conformance

import (
	"errors"
	"fmt"
	"net/url"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
)

// checkAnswer returns what is wrong with the answer to an event.
func checkAnswer(hook abi.Hook, event []byte, got fakehost.Answer) error {
	switch got.Status {
	case abi.StatusAbstain:
		return nil
	case abi.StatusError:
		if got.Reason == "" {
			return errors.New("it ended with status 2 and gave no reason with error_write")
		}
		if !utf8.ValidString(got.Reason) {
			return fmt.Errorf("the reason %q is not UTF-8", got.Reason)
		}
		return nil
	case abi.StatusDecided:
		return CheckVerdict(hook, event, got.Verdict)
	default:
		return fmt.Errorf("status %d does not exist", got.Status)
	}
}

// CheckVerdict returns why a host would refuse a verdict on an encoded event.
func CheckVerdict(hook abi.Hook, event, verdict []byte) error {
	switch hook {
	case abi.HookDialogClosed:
		return nil // it has none
	case abi.HookDialog:
		return checkDialog(verdict)
	case abi.HookFrames:
		return checkFrames(event, verdict)
	case abi.HookSnapshot:
		return checkSnapshot(event, verdict)
	case abi.HookNavigate:
		return checkNavigate(verdict)
	case abi.HookBridgeScript:
		return checkScript(verdict)
	}
	if _, v := abi.NewMessages(hook); v != nil {
		return unmarshal(v, verdict)
	}
	return fmt.Errorf("the kit does not know the hook %s", hook)
}

func unmarshal(m abi.Message, verdict []byte) error {
	if err := m.Unmarshal(verdict); err != nil {
		return err
	}
	return abijson.CheckAction(m)
}

func checkDialog(verdict []byte) error {
	var v abi.DialogVerdict
	if err := unmarshal(&v, verdict); err != nil {
		return err
	}
	if v.TimeoutMs < 0 {
		return fmt.Errorf("the verdict has timeout_ms %d; it must not be negative", v.TimeoutMs)
	}
	return nil
}

func checkFrames(event, verdict []byte) error {
	var e abi.FramesEvent
	known := e.Unmarshal(event) == nil // without it there is nothing to compare with
	var v abi.FramesVerdict
	if err := v.Unmarshal(verdict); err != nil {
		return err
	}
	for _, list := range [][]uint32{v.Kept, v.Capped, v.Masked} {
		for n, index := range list {
			if known && uint64(index) >= uint64(len(e.Frames)) {
				return fmt.Errorf("the verdict names frame %d of %d", index, len(e.Frames))
			}
			if n > 0 && index <= list[n-1] {
				return fmt.Errorf("the verdict's indexes do not ascend: %d after %d", index, list[n-1])
			}
		}
	}
	return nil
}

func checkSnapshot(event, verdict []byte) error {
	var e abi.SnapshotEvent
	known := e.Unmarshal(event) == nil // without it there is nothing to compare with
	var v abi.SnapshotVerdict
	if err := unmarshal(&v, verdict); err != nil {
		return err
	}
	for i := range v.Edits {
		if known && uint64(v.Edits[i].Node) >= uint64(len(e.Nodes)) {
			return fmt.Errorf("edit %d is of node %d of %d", i, v.Edits[i].Node, len(e.Nodes))
		}
	}
	return nil
}

func checkNavigate(verdict []byte) error {
	var v abi.NavigateVerdict
	if err := unmarshal(&v, verdict); err != nil {
		return err
	}
	if v.Action != abi.NavigateActionRewrite {
		return nil
	}
	if u, err := url.Parse(v.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("the verdict rewrites to %q; it must be an absolute http or https URL", v.URL)
	}
	return nil
}

func checkScript(verdict []byte) error {
	var v abi.BridgeScript
	if err := v.Unmarshal(verdict); err != nil {
		return err
	}
	switch {
	case v.Source == "":
		return errors.New("the verdict has an empty script")
	case v.SourceURL == "" && len(v.RequestPatterns) == 0:
		return errors.New("the verdict has neither source_url nor request_patterns: the script cannot reach the host")
	case v.SourceURL != "" && v.PauseExpression == "":
		return errors.New("the verdict has a source_url and no pause_expression")
	}
	return nil
}
