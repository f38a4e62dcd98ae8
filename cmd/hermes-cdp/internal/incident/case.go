package incident

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// goldenCase is an [sdktest.Case] as it is written: with a verdict that is null, for sdktest then says what to state.
type goldenCase struct {
	Name         string                              `json:"name"`
	Hook         abi.Hook                            `json:"hook,omitzero"`
	Config       jsontext.Value                      `json:"config,omitzero"`
	Capabilities []abi.Capability                    `json:"capabilities,omitzero"`
	KV           map[string]sdktest.Bytes            `json:"kv,omitzero"`
	State        map[string]jsontext.Value           `json:"state,omitzero"`
	Embedder     map[string]map[string]sdktest.Bytes `json:"embedder,omitzero"`
	Event        jsontext.Value                      `json:"event"`
	Verdict      jsontext.Value                      `json:"verdict"`
}

// caseOf makes a case of a call, without a name. What the plugin found in its store and in the host's state is found
// again.
func caseOf(e host.JournalEntry, tableHook abi.Hook) goldenCase {
	c := goldenCase{Event: jsontext.Value(e.Event), Verdict: jsontext.Value("null")}
	if e.Hook != tableHook {
		c.Hook = e.Hook
	}
	if config := string(e.Config); config != "" && config != "{}" {
		c.Config = jsontext.Value(config)
	}
	if len(e.Exchanges) == 0 {
		return c
	}
	c.Capabilities = e.Capabilities
	c.KV, c.State = map[string]sdktest.Bytes{}, map[string]jsontext.Value{}
	written := map[string]bool{} // keys whose value before the call is no longer known
	for _, x := range e.Exchanges {
		c.found(x, written)
	}
	if len(c.KV) == 0 {
		c.KV = nil
	}
	if len(c.State) == 0 {
		c.State = nil
	}
	return c
}

// found adds what an exchange tells about store and state before the call.
func (c *goldenCase) found(x host.JournalExchange, written map[string]bool) {
	if function, ok := strings.CutPrefix(x.Import, abi.EmbedderModule+"."); ok {
		c.answered(function, x)
		return
	}
	switch x.Import {
	case abi.ImportStateGet:
		if text := jsontext.Value(x.Text); x.Code == 0 && text.IsValid() {
			c.State[x.Key] = text
		}
	case abi.ImportKVGet:
		if x.Code == 0 && !written[x.Key] {
			c.KV[x.Key] = valueOf(x)
		}
	case abi.ImportKVList:
		for _, key := range x.Keys {
			if _, known := c.KV[key]; !known && !written[key] && strings.HasPrefix(key, x.Key) {
				c.KV[key] = sdktest.Bytes{} // it was there; nobody has asked for the value
			}
		}
	case abi.ImportKVDelete:
		if _, known := c.KV[x.Key]; x.Code == 0 && !known && !written[x.Key] {
			c.KV[x.Key] = sdktest.Bytes{}
		}
		written[x.Key] = true
	case abi.ImportKVCompareAndSet:
		_, known := c.KV[x.Key]
		switch {
		case known || written[x.Key]:
		case x.Code == 0 && !x.Absent:
			c.KV[x.Key] = requestOf(x)
		case x.Code == abi.CodeConflict && x.Absent:
			c.KV[x.Key] = sdktest.Bytes{} // something was there
		}
		written[x.Key] = written[x.Key] || x.Code == 0
	case abi.ImportKVSet, abi.ImportKVSetTTL:
		written[x.Key] = written[x.Key] || x.Code == 0
	}
}

// answered adds what a function of the embedder answered to a request that is text, as the keys of a table are.
func (c *goldenCase) answered(function string, x host.JournalExchange) {
	if c.Embedder == nil {
		c.Embedder = map[string]map[string]sdktest.Bytes{}
	}
	if c.Embedder[function] == nil {
		c.Embedder[function] = map[string]sdktest.Bytes{}
	}
	if x.Code == 0 && x.RequestBytes == nil {
		c.Embedder[function][x.Request] = valueOf(x)
	}
}

func requestOf(x host.JournalExchange) sdktest.Bytes {
	if x.RequestBytes != nil {
		return x.RequestBytes
	}
	return sdktest.Bytes(x.Request)
}

func valueOf(x host.JournalExchange) sdktest.Bytes {
	if x.Value != nil {
		return x.Value
	}
	return sdktest.Bytes(x.Text)
}
