package audit

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/logs"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// API returns an API that records every call that changes something. Those that only look are not recorded.
func API(api control.API, log *Log) control.API { return &recorded{api, log} }

type recorded struct {
	control.API
	log *Log
}

// entry records what a call gave, and passes it on.
func entry[Out any](ctx context.Context, r *recorded, e Entry, about func(*Entry, Out)) func(Out, error) (Out, error) {
	return func(out Out, err error) (Out, error) {
		if about != nil && err == nil {
			about(&e, out)
		}
		r.log.Record(e.By(ctx).Came(err))
		return out, err
	}
}

// add adds details that are not empty.
func (e *Entry) add(pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		if v := reflect.ValueOf(pairs[i+1]); v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
			continue
		}
		if e.Details == nil {
			e.Details = map[string]any{}
		}
		e.Details[pairs[i].(string)] = pairs[i+1]
	}
}

func details(e Entry, pairs ...any) Entry {
	e.add(pairs...)
	return e
}

func generation(e *Entry, g host.PluginGeneration) {
	e.add("generation", g.Number, "sha256", g.SHA256, "version", g.Version, "source", g.Source, "new_powers", g.NewPowers, "ungranted", g.Ungranted)
}

// change is what was asked for: the configuration is left out, as it may hold secrets.
func change(name, action string, c host.PluginChange) Entry {
	return details(Entry{Action: action, Plugin: name}, "path", secret.URLs(c.Path), "url", secret.Address(c.URL), "reason", c.Reason, "configured", c.Config != nil,
		"tasks", c.Tasks, "serve_percent", c.ServePercent, "promote_after", c.PromoteAfter, "drop_on", c.DropOn,
		"drop_hooks", c.DropHooks, "drop_tools", c.DropTools)
}

func (r *recorded) InstallPlugin(ctx context.Context, name string, a host.PluginAddition) (host.PluginGeneration, error) {
	e := details(Entry{Action: pluginAdd, Plugin: name}, "path", secret.URLs(a.Path), "url", secret.Address(a.URL), "reason", a.Reason, "configured", a.Config != nil,
		"hooks", a.Hooks, "capabilities", a.Capabilities, "priority", a.Priority, "store_on_disk", a.StoreOnDisk)
	return entry(ctx, r, e, generation)(r.API.InstallPlugin(ctx, name, a))
}

func (r *recorded) WithdrawPlugin(ctx context.Context, name string, q host.PluginRemoval) (host.WithdrawnPlugin, error) {
	e := details(Entry{Action: PluginRemove, Plugin: name}, "reason", q.Reason, "drop_hooks", q.DropHooks, "drop_tools", q.DropTools)
	return entry(ctx, r, e, func(e *Entry, w host.WithdrawnPlugin) { e.add("hooks", w.Hooks) })(r.API.WithdrawPlugin(ctx, name, q))
}

func (r *recorded) ReconfigurePlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginGeneration, error) {
	return entry(ctx, r, change(name, PluginConfigure, c), generation)(r.API.ReconfigurePlugin(ctx, name, c))
}

func (r *recorded) SetPluginEntry(ctx context.Context, name, task, key string, value []byte, ttl time.Duration) (host.PluginEntry, error) {
	e := details(stored(pluginSet, name, task, key), "value_bytes", len(value), "ttl_ms", ttl.Milliseconds())
	return entry[host.PluginEntry](ctx, r, e, nil)(r.API.SetPluginEntry(ctx, name, task, key, value, ttl))
}

func (r *recorded) DeletePluginEntry(ctx context.Context, name, task, key string) (host.PluginEntry, error) {
	return entry[host.PluginEntry](ctx, r, stored(pluginDelete, name, task, key), nil)(r.API.DeletePluginEntry(ctx, name, task, key))
}

// maxKey limits the key of a plugin's store, in runes, as the key of a refused request has any length.
const maxKey = 200

// stored is about an entry of a plugin's store: the value is left out, as it may be a secret.
func stored(action, name, task, key string) Entry {
	return details(Entry{Action: action, Plugin: name, Task: task}, "key", pagetext.ShortenRunes(pagetext.Line(key), maxKey))
}

func (r *recorded) SwapPlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginGeneration, error) {
	return entry(ctx, r, change(name, PluginSwap, c), generation)(r.API.SwapPlugin(ctx, name, c))
}

func (r *recorded) RollbackPlugin(ctx context.Context, name, reason string, dropHooks ...string) (host.PluginGeneration, error) {
	e := details(Entry{Action: PluginRollback, Plugin: name}, "reason", reason, "drop_hooks", dropHooks)
	return entry(ctx, r, e, generation)(r.API.RollbackPlugin(ctx, name, reason, dropHooks...))
}

func (r *recorded) ShadowPlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginShadow, error) {
	of := func(e *Entry, s host.PluginShadow) { generation(e, s.Generation) }
	return entry(ctx, r, change(name, pluginShadow, c), of)(r.API.ShadowPlugin(ctx, name, c))
}

func (r *recorded) PromotePlugin(ctx context.Context, name, reason string) (host.PluginGeneration, error) {
	e := details(Entry{Action: PluginPromote, Plugin: name}, "reason", reason)
	return entry(ctx, r, e, generation)(r.API.PromotePlugin(ctx, name, reason))
}

func (r *recorded) DropPlugin(ctx context.Context, name string) (host.PluginGeneration, error) {
	return entry(ctx, r, Entry{Action: PluginDrop, Plugin: name}, generation)(r.API.DropPlugin(ctx, name))
}

func (r *recorded) CallTool(ctx context.Context, task string, c host.PluginToolCall) (host.PluginToolResult, error) {
	e := details(Entry{Action: pluginTool, Task: task, Plugin: c.Plugin}, "tool", c.Tool)
	return entry[host.PluginToolResult](ctx, r, e, nil)(r.API.CallTool(ctx, task, c))
}

func (r *recorded) Reload(ctx context.Context) (control.Status, error) {
	s, err := r.API.Reload(ctx)
	came := err
	if err == nil {
		came = Refused(s.Daemon.Config.Error)
	}
	r.log.Record(Entry{Action: ConfigReload}.By(ctx).Came(came))
	return s, err
}

// Refused is the error of a reload that was refused for a reason; empty: it was not.
func Refused(reason string) error {
	if reason == "" {
		return nil
	}
	return &fault.Error{Code: fault.ErrDegraded, Err: errors.New(reason)}
}

func (r *recorded) SetLogLevels(ctx context.Context, change logs.Setting) (logs.Setting, error) {
	e := details(Entry{Action: logLevel}, "level", change.Level)
	if len(change.Packages) > 0 {
		e.add("packages", change.Packages)
	}
	return entry[logs.Setting](ctx, r, e, nil)(r.API.SetLogLevels(ctx, change))
}

func (r *recorded) NewToken(ctx context.Context, q access.Request) (access.Made, error) {
	e := details(Entry{Action: tokenNew}, "token", q.Name, "tasks", q.Tasks, "toolsets", q.Toolsets)
	if q.Lifetime > 0 {
		e.add("expires_after", q.Lifetime.String())
	}
	return entry[access.Made](ctx, r, e, nil)(r.API.NewToken(ctx, q))
}

func (r *recorded) RevokeToken(ctx context.Context, name string) (access.Token, error) {
	return entry[access.Token](ctx, r, details(Entry{Action: tokenRevoke}, "token", name), nil)(r.API.RevokeToken(ctx, name))
}

func (r *recorded) Connect(ctx context.Context, q control.ConnectRequest) (control.TaskStatus, error) {
	e := details(Entry{Action: taskStart, Task: q.Task}, "address", secret.Address(q.Address), "launch", q.Launch, "profile", q.Profile, "scope", q.Scope,
		"dialog_policy", q.DialogPolicy)
	return entry(ctx, r, e, func(e *Entry, t control.TaskStatus) { e.Task = t.ID })(r.API.Connect(ctx, q))
}

func (r *recorded) Disconnect(ctx context.Context, task string) (control.TaskStatus, error) {
	return entry(ctx, r, Entry{Action: taskEnd, Task: task}, func(e *Entry, t control.TaskStatus) { e.Task = t.ID })(r.API.Disconnect(ctx, task))
}

func (r *recorded) TakeOver(ctx context.Context, task string) (host.Hold, error) {
	return entry[host.Hold](ctx, r, Entry{Action: taskTakeOver, Task: task}, nil)(r.API.TakeOver(ctx, task))
}

func (r *recorded) GiveBack(ctx context.Context, task, note string) (host.HandBack, error) {
	e := details(Entry{Action: taskGiveBack, Task: task}, "with_note", note != "")
	return entry(ctx, r, e, func(e *Entry, b host.HandBack) { e.add("held_s", b.Held.Seconds()) })(r.API.GiveBack(ctx, task, note))
}

func (r *recorded) AnswerQuestion(ctx context.Context, task string, a control.QuestionAnswer) (host.Question, error) {
	return entry[host.Question](ctx, r, details(Entry{Action: questionAnswer, Task: task}, "question", a.ID), nil)(r.API.AnswerQuestion(ctx, task, a))
}

func (r *recorded) RespondDialog(ctx context.Context, task string, a control.DialogAnswer) (host.Dialog, error) {
	e := details(Entry{Action: dialogAnswer, Task: task}, "dialog", a.DialogID, "answer", verb(a.Accept), "with_text", a.PromptText != nil)
	return entry(ctx, r, e, func(e *Entry, d host.Dialog) { e.add("dialog", d.ID, "type", string(d.Type)) })(r.API.RespondDialog(ctx, task, a))
}

func (r *recorded) RespondSignIn(ctx context.Context, task string, a control.SignInAnswer) (host.SignIn, error) {
	e := details(Entry{Action: dialogAnswer, Task: task}, "dialog", a.ID, "answer", verb(a.Accept), "account", a.Account)
	return entry(ctx, r, e, func(e *Entry, in host.SignIn) { e.add("dialog", in.ID, "type", string(in.Kind)) })(r.API.RespondSignIn(ctx, task, a))
}

func verb(accept bool) string {
	if accept {
		return "accept"
	}
	return "dismiss"
}

func (r *recorded) ArmDialog(ctx context.Context, task string, a host.ArmedAnswer) (host.ArmedAnswer, error) {
	e := details(Entry{Action: dialogArm, Task: task}, "answer", verb(a.Accept), "type", string(a.Type))
	return entry[host.ArmedAnswer](ctx, r, e, nil)(r.API.ArmDialog(ctx, task, a))
}

func (r *recorded) DisarmDialog(ctx context.Context, task string) (*host.ArmedAnswer, error) {
	return entry[*host.ArmedAnswer](ctx, r, Entry{Action: dialogDisarm, Task: task}, nil)(r.API.DisarmDialog(ctx, task))
}

func (r *recorded) Console(ctx context.Context, task string, clear bool) (control.Console, error) {
	c, err := r.API.Console(ctx, task, clear)
	if clear {
		r.log.Record(Entry{Action: consoleClear, Task: task}.By(ctx).Came(err))
	}
	return c, err
}

func (r *recorded) Evaluate(ctx context.Context, task string, q control.EvaluateRequest) (host.Evaluation, error) {
	e := details(Entry{Action: pageEvaluate, Task: task}, "target", q.TargetID, "frame", q.FrameID, "world", string(q.World))
	return entry[host.Evaluation](ctx, r, e, nil)(r.API.Evaluate(ctx, task, q))
}

func (r *recorded) CDP(ctx context.Context, task string, q control.CDPRequest) (host.CDPResult, error) {
	e := details(Entry{Action: pageCDP, Task: task}, "method", q.Method, "target", q.TargetID, "frame", q.FrameID)
	return entry[host.CDPResult](ctx, r, e, nil)(r.API.CDP(ctx, task, q))
}

func (r *recorded) NewLiveLink(ctx context.Context) (control.LiveLink, error) {
	return entry[control.LiveLink](ctx, r, Entry{Action: liveLink}, nil)(r.API.NewLiveLink(ctx))
}

// Tools returns tools that record the answers to dialogs that operators give by them. Agents are no operators.
func Tools(tools agent.Tools, log *Log) agent.Tools { return recordedTools{tools, log} }

type offered = agent.Tools // embedded under another name than its method's

type recordedTools struct {
	offered
	log *Log
}

func (t recordedTools) Call(ctx context.Context, c agent.Call) (agent.Result, error) {
	result, err := t.offered.Call(ctx, c)
	if c.Name == "browser_dialog" && access.CallerOf(ctx).Role() == access.Operator {
		e := details(Entry{Action: dialogAnswer, Task: c.Task}, "tool", c.Name, "client", c.Client).By(ctx).Came(err)
		if result.IsError {
			e.Outcome = Failed
			e.Code, _ = result.Structured["code"].(string)
		}
		t.log.Record(e)
	}
	return result, err
}
