package journal

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

const (
	pauseToken   = "0123456789abcdef0123456789abcdef"
	requestToken = "fedcba9876543210fedcba9876543210"
)

// written gives the text of the journal of some calls, and the calls as they are read.
func written(t *testing.T, entries ...Entry) (string, []Entry) {
	t.Helper()
	dir := journalOf(t, WriterOptions{}, entries...)
	text, err := os.ReadFile(filesOf(t, dir)[0])
	if err != nil {
		t.Fatal(err)
	}
	got, r := readAll(t, dir)
	if len(r.Problems()) > 0 {
		t.Fatal(r.Problems())
	}
	return string(text), got
}

func TestSecretSettingsAreMaskedInFiles(t *testing.T) {
	settings := abi.Struct{
		{Key: "password", Value: abi.StringValue("hunter2!")},
		{Key: "policy", Value: abi.StringValue("auto_accept")},
		{Key: "tokens", Value: abi.StructValue(abi.Struct{
			{Key: "list", Value: abi.ListValue(abi.StringValue("in a list"), abi.NumberValue(4711), abi.BoolValue(true))},
		})},
	}
	event := abi.DialogEvent{
		Header:  abi.Header{TaskConfig: settings},
		Message: "your password hunter2! please", DefaultPrompt: "hunter2!",
	}
	verdict := abi.DialogVerdict{Action: abi.DialogActionAccept, HasText: true, Text: "hunter2!"}
	config := abi.Struct{{Key: "api_key", Value: abi.StringValue("sk-42-sk-42")}}
	e := Entry{
		Sequence: 1, Hook: abi.HookDialog, Plugin: "p", ConfigHash: "c", Config: config.Append(nil), Event: event.Append(nil),
		Outcome: OutcomeDecided, Verdict: verdict.Append(nil), Detail: "of sk-42-sk-42",
		Exchanges: []guestio.Exchange{
			{Import: abi.ImportKVGet, Key: "session_token", Value: []byte("kv-secret")},
			{Import: abi.ImportKVGet, Key: "last", Value: []byte("kv-secret and hunter2!")},
			{Import: abi.ImportStateGet, Key: "task", Value: []byte(`{"cookie": "state-secret", "n": 1}`)},
			{Import: abi.ImportKVList, Key: "", Keys: []string{"state-secret"}},
			{Import: guestio.EmbedderImport("lookup_v1"), Request: []byte("look hunter2! up"), Value: []byte(`{"token": "embedder-secret"}`)},
		},
	}
	before := e
	text, got := written(t, e)
	for _, hidden := range []string{"hunter2", "sk-42", "in a list", "4711", "kv-secret", "state-secret", "embedder-secret"} {
		if strings.Contains(text, hidden) {
			t.Errorf("the file shows %s: %s", hidden, text)
		}
	}
	if !strings.Contains(text, "auto_accept") || !strings.Contains(text, "your password [redacted] please") {
		t.Errorf("the file hides too much: %s", text)
	}
	if len(got) != 1 || !got[0].Masked || got[0].Incomplete {
		t.Fatalf("it was read as %+v", got)
	}
	var back abi.DialogVerdict
	if err := back.Unmarshal(got[0].Verdict); err != nil || back.Text != "[redacted]" {
		t.Errorf("the verdict is %+v, %v", back, err)
	}
	if !reflect.DeepEqual(e, before) {
		t.Error("the entry itself was changed")
	}
}

func TestTheTokensOfTheBridgeAreMaskedWhereverTheyOccur(t *testing.T) {
	script := abi.BridgeScriptEvent{PauseToken: pauseToken, RequestToken: requestToken}
	source := abi.BridgeScript{Source: `run("` + pauseToken + `","` + requestToken + `")`}
	request := abi.BridgeRequestEvent{Payload: "https://bridge.example/?" + requestToken + "&alert"}
	answer := abi.BridgeRequest{Token: requestToken, Message: "m"}
	forged := abi.BridgeRequest{Token: "a page's own guess"}
	entries := []Entry{
		{Sequence: 1, Task: "t", Hook: abi.HookBridgeScript, Event: script.Append(nil), Outcome: OutcomeDecided, Verdict: source.Append(nil)},
		{Sequence: 2, Task: "t", Hook: abi.HookBridgeRequest, Event: request.Append(nil), Outcome: OutcomeAbstained},
		{Sequence: 3, Task: "t", Hook: abi.HookBridgeRequest, Event: request.Append(nil), Outcome: OutcomeDecided, Verdict: answer.Append(nil)},
		{Sequence: 4, Task: "t", Hook: abi.HookBridgeRequest, Event: request.Append(nil), Outcome: OutcomeDecided, Verdict: forged.Append(nil)},
		{Sequence: 5, Task: "t", Hook: abi.HookBridgeRequest, Event: request.Append(nil), Outcome: OutcomeFault, Fault: "trap", Detail: pauseToken},
	}
	text, got := written(t, entries...)
	if strings.Contains(text, pauseToken) || strings.Contains(text, requestToken) || strings.Contains(text, "own guess") {
		t.Errorf("the file shows a token: %s", text)
	}
	for _, e := range got {
		if !e.Masked || e.Incomplete {
			t.Errorf("call %d is not marked as masked: %+v", e.Sequence, e)
		}
	}
	var back abi.BridgeScript
	if err := back.Unmarshal(got[0].Verdict); err != nil || back.Source != `run("MASKEDPAUSETOKEN","MASKEDREQUESTTOKEN")` {
		t.Errorf("the script is %s", back.Source)
	}
	var backRequest abi.BridgeRequest
	if err := backRequest.Unmarshal(got[2].Verdict); err != nil || backRequest.Token != "MASKEDREQUESTTOKEN" {
		t.Errorf("the token is %s", backRequest.Token)
	}
}

func TestASecretThatCanNotBeTakenOutIsNotWritten(t *testing.T) {
	script := abi.BridgeScriptEvent{PauseToken: pauseToken}
	entries := []Entry{
		{Sequence: 1, Hook: abi.HookBridgeScript, Event: script.Append(nil), Outcome: OutcomeDecided, Verdict: []byte("\xff" + pauseToken)},
		{Sequence: 2, Hook: abi.HookBridgeReply, Outcome: OutcomeAbstained, Event: []byte("\xff" + pauseToken)},
		{Sequence: 3, Hook: abi.HookBridgeReply, Outcome: OutcomeAbstained, Event: []byte("\xffharmless")},
		{Sequence: 4, Hook: abi.HookBridgeReply, Outcome: OutcomeAbstained, Exchanges: []guestio.Exchange{
			{Import: abi.ImportKVGet, Key: "k", Value: []byte("\xff" + pauseToken)},
		}},
		{Sequence: 5, Hook: abi.HookBridgeReply, Outcome: OutcomeAbstained, Exchanges: []guestio.Exchange{
			{Import: guestio.EmbedderImport("lookup_v1"), Request: []byte("\xff" + pauseToken)},
		}},
	}
	text, got := written(t, entries...)
	if strings.Contains(text, pauseToken) {
		t.Errorf("the file shows the token: %s", text)
	}
	for _, e := range got {
		if want := e.Sequence != 3; e.Incomplete != want || e.Masked != want {
			t.Errorf("call %d: masked %t, incomplete %t", e.Sequence, e.Masked, e.Incomplete)
		}
	}
}

func TestAnUnreadableConfigurationIsKeptAsItIs(t *testing.T) {
	script := abi.BridgeScriptEvent{PauseToken: pauseToken}
	e := Entry{Sequence: 1, Hook: abi.HookBridgeScript, Event: script.Append(nil), Outcome: OutcomeAbstained, ConfigHash: "c", Config: []byte("\xff")}
	if _, got := written(t, e); len(got) != 1 || got[0].Incomplete || string(got[0].Config) != "\xff" {
		t.Errorf("it was read as %+v", got)
	}
}

func TestShortTextsThatEqualASecretStay(t *testing.T) {
	event := abi.DialogEvent{
		Header:  abi.Header{TaskConfig: abi.Struct{{Key: "token", Value: abi.StringValue("ok")}, {Key: "secret", Value: abi.StringValue("page")}}},
		Message: "ok", DefaultPrompt: "page", URL: "https://page.example/",
	}
	text, _ := written(t, Entry{Hook: abi.HookDialog, Event: event.Append(nil), Outcome: OutcomeAbstained})
	for _, want := range []string{`"token":"[redacted]"`, `"message":"ok"`, `"default_prompt":"[redacted]"`, `"url":"https://page.example/"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing: %s", want, text)
		}
	}
}

func TestASecretIsMaskedAsItIsWrittenInAddressesAndScripts(t *testing.T) {
	event := abi.DialogEvent{
		Header:  abi.Header{TaskConfig: abi.Struct{{Key: "password", Value: abi.StringValue(`p&ss "word"/1`)}}},
		URL:     "https://shop.example/?login=p%26ss+%22word%22%2F1",
		Message: `const login = "p&ss \"word\"/1"`,
	}
	text, got := written(t, Entry{Hook: abi.HookDialog, Event: event.Append(nil), Outcome: OutcomeAbstained})
	if strings.Contains(text, "word%22") || strings.Contains(text, `\\"word`) || strings.Contains(text, "ss+") || strings.Contains(text, "p&ss") {
		t.Errorf("the file shows it: %s", text)
	}
	if len(got) != 1 || !got[0].Masked {
		t.Errorf("it was read as %+v", got)
	}
}

func TestTheEncoderForgetsOldTasks(t *testing.T) {
	c := newEncoder()
	event := abi.BridgeScriptEvent{PauseToken: pauseToken}
	for n := range rememberedTasks + 10 {
		c.learn(&Entry{Hook: abi.HookBridgeScript, Task: string(rune('a' + n)), Event: event.Append(nil)})
	}
	if len(c.tokens) != rememberedTasks || len(c.order) != rememberedTasks || c.tokens["a"] != nil {
		t.Errorf("it remembers %d tasks", len(c.tokens))
	}
	for n := range rememberedConfigs + 10 {
		c.config(&Entry{ConfigHash: string(rune('a' + n))})
	}
	if len(c.configs) > rememberedConfigs {
		t.Errorf("it remembers %d configurations", len(c.configs))
	}
}

// A call is marked for its own secrets; the configuration is marked for its own.
func TestAMaskedConfigurationDoesNotMarkItsCalls(t *testing.T) {
	config := abi.Struct{{Key: "api_key", Value: abi.StringValue("sk-42-sk-42")}}
	e := Entry{Sequence: 1, Hook: abi.HookDialog, ConfigHash: "c", Config: config.Append(nil), Outcome: OutcomeError, Reason: "sk-42-sk-42 is refused"}
	e.Event = (&abi.DialogEvent{Message: "harmless"}).Append(nil)
	echo := e
	echo.Sequence, echo.Event = 2, (&abi.DialogEvent{Message: "sk-42-sk-42"}).Append(nil)
	text, got := written(t, e, echo)
	if strings.Contains(text, "sk-42") {
		t.Errorf("the file shows it: %s", text)
	}
	if len(got) != 2 || got[0].Masked || !got[0].MaskedConfig || !got[1].Masked || !got[1].MaskedConfig {
		t.Errorf("they were read as %+v", got)
	}
	if !ShowMasked(got[0]).Masked {
		t.Error("it is shown as if nothing was masked")
	}
}
