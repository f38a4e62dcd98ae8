package main

import (
	"cmp"
	"time"

	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
)

// defaultTimeoutMs is how long must_respond holds a dialog if neither the task nor the configuration says.
const defaultTimeoutMs = 300_000

// decide tries the most specific rules first: the task's, the module's, then the policy.
func decide(module *settings, e *dialog.Event) dialog.Verdict {
	var task settings
	if len(e.Header.TaskConfig) > 0 {
		var err error
		if task, err = readSettings("task configuration", e.Header.TaskConfig); err != nil {
			return dialog.Fail(err.Error())
		}
	}
	policy := cmp.Or(e.Policy, task.policy, module.policy, policyMustRespond)
	if !knownPolicy(policy) {
		return dialog.Fail(`unknown policy "` + policy + `"; known are must_respond, auto_dismiss and auto_accept`)
	}
	timeoutMs := cmp.Or(max(e.TimeoutMs, 0), task.timeoutMs, module.timeoutMs, defaultTimeoutMs)

	for _, rules := range [][]rule{task.rules, module.rules} {
		for i := range rules {
			if r := &rules[i]; r.matches(e) {
				return r.verdict(timeoutMs)
			}
		}
	}
	return byPolicy(policy, timeoutMs)
}

// byPolicy names each rule with a constant, so that the common case makes no garbage.
func byPolicy(policy string, timeoutMs int64) dialog.Verdict {
	switch policy {
	case policyAutoDismiss:
		return dialog.Dismiss().Because("policy " + policyAutoDismiss)
	case policyAutoAccept:
		return dialog.Accept().Because("policy " + policyAutoAccept)
	default:
		return hold(timeoutMs).Because("policy " + policyMustRespond)
	}
}

func hold(timeoutMs int64) dialog.Verdict {
	return dialog.Hold(time.Duration(timeoutMs) * time.Millisecond)
}
