package e2e

import (
	"slices"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// evaluate runs an expression, waits for its promise, and gives the value's JSON.
func (c *rawClient) evaluate(session, expression string) string {
	c.t.Helper()
	yes := true
	var result runtime.EvaluateResult
	c.call(session, runtime.CommandEvaluate, &runtime.EvaluateParams{
		Expression: expression, AwaitPromise: &yes, ReturnByValue: &yes, UserGesture: &yes,
	}, &result)
	if result.ExceptionDetails != nil {
		c.t.Fatalf("raw client: evaluate %s: %s", expression, result.ExceptionDetails.Text)
	}
	return string(result.Result.Value)
}

// has tells whether a target of the browser is there, whoever it belongs to.
func (c *rawClient) has(id string) bool {
	c.t.Helper()
	var all target.GetTargetsResult
	c.call("", target.CommandGetTargets, nil, &all)
	return slices.ContainsFunc(all.TargetInfos, func(info *target.Info) bool { return string(info.TargetID) == id })
}
