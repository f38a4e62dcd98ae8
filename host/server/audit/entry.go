package audit

import (
	"context"
	"os/user"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// Entry is one action of an operator.
type Entry struct {
	Time time.Time `json:"time"`
	// Who is a user of this machine where that is known, else operator; daemon, for what a change of a file, a rule or a
	// fault has caused.
	Who string `json:"who"`
	// Via is the way in: socket, address, live page, command (without a daemon), signal, or file; canary or faults, for
	// what the host did by itself.
	Via string `json:"via"`
	// PID is the process that asked; 0: it is not known.
	PID int `json:"pid,omitempty"`
	// Action is one of [Actions].
	Action string `json:"action"`
	// Task and Plugin are what it was done to.
	Task   string `json:"task,omitempty"`
	Plugin string `json:"plugin,omitempty"`
	// Details depend on the action.
	Details map[string]any `json:"details,omitempty"`
	// Outcome is done or failed.
	Outcome string `json:"outcome"`
	// Code is the code of the error, and Error its text where that cannot be a page's.
	Code  string `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
}

// The outcomes.
const (
	Done   = "done"
	Failed = "failed"
)

// The actions.
const (
	PluginSwap      = "plugin.swap"
	PluginRollback  = "plugin.rollback"
	pluginShadow    = "plugin.shadow"
	PluginPromote   = "plugin.promote"
	PluginDrop      = "plugin.drop"
	pluginAdd       = "plugin.add"
	PluginConfigure = "plugin.configure"
	PluginRemove    = "plugin.remove"
	ConfigReload    = "config.reload"
	logLevel        = "log.level"
	tokenNew        = "token.new"
	tokenRevoke     = "token.revoke"
	taskStart       = "task.start"
	taskEnd         = "task.end"
	taskTakeOver    = "task.takeover"
	taskGiveBack    = "task.give_back"
	questionAnswer  = "question.answer"
	dialogAnswer    = "dialog.answer"
	dialogArm       = "dialog.arm"
	dialogDisarm    = "dialog.disarm"
	consoleClear    = "console.clear"
	pageEvaluate    = "page.evaluate"
	pageCDP         = "page.cdp"
	pluginTool      = "plugin.tool"
	pluginSet       = "plugin.kv_set"
	pluginDelete    = "plugin.kv_delete"
	liveLink        = "live.link"
	LiveLogin       = "live.login"
)

// Actions are all actions with what they are, in the order of the documentation.
var Actions = []struct{ Name, Is string }{
	{PluginSwap, "another module was put into service, by an operator or by a change of its file"},
	{PluginRollback, "the module before was put back, by an operator or by the host after too many faults"},
	{pluginShadow, "a candidate was started"},
	{PluginPromote, "a candidate was put into service, by an operator or by its own rules"},
	{PluginDrop, "a candidate was ended, by an operator or by its own rules"},
	{pluginAdd, "a plugin was added, or one that was removed was put back"},
	{PluginConfigure, "a plugin got another configuration, from an operator or after a reload"},
	{PluginRemove, "a plugin was taken out of service, by an operator, after a reload, or after too many faults"},
	{pluginSet, "an entry of a plugin's store was changed"},
	{pluginDelete, "an entry of a plugin's store was deleted"},
	{pluginTool, "a plugin's tool was called"},
	{ConfigReload, "the configuration was read again"},
	{logLevel, "levels of the log were changed"},
	{tokenNew, "a token was made for an agent"},
	{tokenRevoke, "a token was revoked"},
	{taskStart, "a task was started"},
	{taskEnd, "a task was ended"},
	{taskTakeOver, "a task was taken from its agent"},
	{taskGiveBack, "a task was given back"},
	{questionAnswer, "a question of an agent was answered"},
	{dialogAnswer, "a dialog was answered"},
	{dialogArm, "an answer was armed"},
	{dialogDisarm, "an armed answer was withdrawn"},
	{consoleClear, "the console of a task was discarded"},
	{pageEvaluate, "script was run in a page"},
	{pageCDP, "a raw command was sent"},
	{liveLink, "a link to the live page was made"},
	{LiveLogin, "a browser was let into the live page"},
}

// By completes an entry with who asked: the caller of a request, or this process's user where there is none.
func (e Entry) By(ctx context.Context) Entry {
	by := access.CallerOf(ctx).By()
	if access.CallerOf(ctx).Role() != access.Operator {
		by = access.By{Who: "operator", Via: "command"}
		if u, err := user.Current(); err == nil {
			by.Who = u.Username
		}
	}
	if by.Who == "" {
		by = access.By{Who: "operator", Via: "http"}
	}
	e.Who, e.Via, e.PID = by.Who, by.Via, by.PID
	return e
}

// maxError limits the text of an error, in runes.
const maxError = 300

// Came completes an entry with what came of the action.
func (e Entry) Came(err error) Entry {
	e.Outcome = Done
	if err == nil {
		return e
	}
	e.Outcome, e.Code = Failed, string(control.ErrorOf(err).Code)
	if e.Task == "" { // else it may be a page's text
		e.Error = pagetext.ShortenRunes(pagetext.Line(secret.URLs(err.Error())), maxError)
	}
	return e
}
