package cdp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestScanEnvelope(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		ok       bool
		want     envelope
	}{
		{"a reply as Chromium writes it", `{"id":7,"result":{"a":[1,"}"]},"sessionId":"AB"}`, true,
			envelope{id: 7, hasID: true, result: []byte(`{"a":[1,"}"]}`), sessionID: []byte("AB")}},
		{"an event as Chromium writes it", `{"method":"Page.x","params":{"s":"\"{"},"sessionId":"AB"}`, true,
			envelope{method: []byte("Page.x"), params: []byte(`{"s":"\"{"}`), sessionID: []byte("AB")}},
		{"an error reply", `{"error":{"code":-32000,"message":"no"},"id":3}`, true,
			envelope{id: 3, hasID: true, fail: []byte(`{"code":-32000,"message":"no"}`)}},
		{"the session id first", `{"sessionId":"AB","params":{},"method":"M"}`, true,
			envelope{sessionID: []byte("AB"), params: []byte(`{}`), method: []byte("M")}},
		{"escapes in key and value", `{"\u0069d":1,"sessionId":"a\u0041\n\""}`, true,
			envelope{id: 1, hasID: true, sessionID: []byte("aA\n\"")}},
		{"a backslash before the closing quote", `{"method":"M\\","params":["\\\\"]}`, true,
			envelope{method: []byte(`M\`), params: []byte(`["\\\\"]`)}},
		{"white space everywhere", " {\n\"id\" :\t1 , \"result\" : 5 } \r\n", true,
			envelope{id: 1, hasID: true, result: []byte("5")}},
		{"scalar results", `{"id":1,"result":null,"params":true}`, true,
			envelope{id: 1, hasID: true, result: []byte("null"), params: []byte("true")}},
		{"an unknown key", `{"id":1,"extra":{"id":9}}`, true, envelope{id: 1, hasID: true}},
		{"a repeated key takes the last", `{"id":1,"id":2}`, true, envelope{id: 2, hasID: true}},
		{"an empty object", `{}`, true, envelope{}},
		{"an id that is a fraction", `{"id":1.5}`, false, envelope{}},
		{"an id that is text", `{"id":"1"}`, false, envelope{}},
		{"an id over 64 bits", `{"id":9223372036854775808}`, false, envelope{}},
		{"a method that is no text", `{"method":5}`, false, envelope{}},
		{"an array", `[]`, false, envelope{}},
		{"nothing", ``, false, envelope{}},
		{"two objects", `{"id":1}{"id":2}`, false, envelope{}},
		{"an object that does not end", `{"id":1,"result":{"a":"`, false, envelope{}},
		{"a missing value", `{"id":}`, false, envelope{}},
		{"a missing colon", `{"id"1}`, false, envelope{}},
		{"a trailing comma", `{"id":1,}`, false, envelope{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := scanEnvelope([]byte(tc.in), nil)
			if ok != tc.ok {
				t.Fatalf("ok is %v, want %v", ok, tc.ok)
			}
			if ok && !sameEnvelope(got, tc.want) {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestScanEnvelopeStopsAtAnUnwantedEvent(t *testing.T) {
	unwanted := func([]byte) bool { return false }
	e, ok := scanEnvelope([]byte(`{"method":"Debugger.scriptParsed","params":{"never ends`), unwanted)
	if !ok || !e.skipped {
		t.Errorf("got ok %v, skipped %v: the parameters must not be looked at", ok, e.skipped)
	}
	e, ok = scanEnvelope([]byte(`{"id":1,"method":"x","result":{}}`), unwanted)
	if !ok || e.skipped {
		t.Errorf("got ok %v, skipped %v: a reply is never skipped", ok, e.skipped)
	}
}

func TestScanEnvelopeFindsTheIDInTheHeadOfACutOffMessage(t *testing.T) {
	e, ok := scanEnvelope([]byte(`{"id":42,"result":{"data":"AAAA`), nil)
	if ok || !e.hasID || e.id != 42 {
		t.Errorf("got ok %v, id %d", ok, e.id)
	}
}

func sameEnvelope(a, b envelope) bool {
	return a.id == b.id && a.hasID == b.hasID && a.skipped == b.skipped && bytes.Equal(a.method, b.method) &&
		bytes.Equal(a.sessionID, b.sessionID) && bytes.Equal(a.params, b.params) && bytes.Equal(a.result, b.result) &&
		bytes.Equal(a.fail, b.fail)
}

// checkAgainstEncodingJSON compares the scanner with encoding/json: whatever the latter accepts as an object must be
// read alike.
func checkAgainstEncodingJSON(t interface{ Fatalf(string, ...any) }, data []byte) {
	e, ok := scanEnvelope(data, nil)
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil || members == nil {
		return // the scanner may accept more in values it skips
	}
	want, valid := envelopeOf(data, members)
	if ok != valid {
		t.Fatalf("ok is %v, want %v for %q", ok, valid, data)
	}
	if ok && !sameEnvelope(e, want) {
		t.Fatalf("got %+v, want %+v for %q", e, want, data)
	}
}

// envelopeOf is the slow counterpart of scanEnvelope. A value of the wrong type makes the message invalid even if the
// key is repeated, so the members are also read one by one.
func envelopeOf(data []byte, members map[string]json.RawMessage) (e envelope, valid bool) {
	valid = true
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	_, _ = dec.Token()
	for dec.More() {
		key, _ := dec.Token()
		var value json.RawMessage
		_ = dec.Decode(&value)
		switch key {
		case "id":
			id, err := strconv.ParseInt(string(value), 10, 64)
			e.id, e.hasID = id, err == nil && len(value) <= 19
			valid = valid && e.hasID
		case "method", "sessionId":
			var s *string
			if err := json.Unmarshal(value, &s); err != nil || s == nil {
				valid = false
				continue
			}
			if key == "method" {
				e.method = []byte(*s)
			} else {
				e.sessionID = []byte(*s)
			}
		}
	}
	e.params, e.result, e.fail = members["params"], members["result"], members["error"]
	return e, valid
}

func FuzzScanEnvelope(f *testing.F) {
	for _, seed := range []string{
		`{"id":7,"result":{"a":[1,"}"]},"sessionId":"AB"}`,
		`{"method":"Page.x","params":{"s":"\"{"},"sessionId":"AB"}`,
		`{"\u0069d":1,"error":{"code":-1,"message":"\ud800"}}`,
		` { "id" : -5 , "x" : [ [ ] , { } ] , "params" : null } `,
		`{"id":1`, `{"a":"\\\"`, "{\"\xff\":1}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) {
			_, _ = scanEnvelope(data, nil) // must not panic
			return
		}
		if bytes.Contains(data, []byte{0xff}) || !validText(data) {
			return // encoding/json replaces bad UTF-8, the scanner keeps it
		}
		checkAgainstEncodingJSON(t, data)
	})
}

func validText(data []byte) bool { return bytes.Equal(bytes.ToValidUTF8(data, nil), data) }

func TestScanEnvelopeAgreesWithEncodingJSONOnGeneratedMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"id", "method", "params", "result", "error", "sessionId", "x"}),
			func(k string) string { return k }).Draw(t, "keys")
		var b bytes.Buffer
		space := func() { b.WriteString(rapid.SampledFrom([]string{"", "", " ", "\n\t"}).Draw(t, "space")) }
		b.WriteByte('{')
		for i, key := range keys {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			name, _ := json.Marshal(key)
			b.Write(name)
			space()
			b.WriteByte(':')
			space()
			var value any
			switch key {
			case "id":
				value = rapid.Int64Range(0, 1<<62).Draw(t, "id")
			case "method", "sessionId":
				value = rapid.String().Draw(t, key)
			default:
				value = jsonValue(3).Draw(t, key)
			}
			raw, _ := json.Marshal(value)
			b.Write(raw)
			space()
		}
		b.WriteByte('}')
		checkAgainstEncodingJSON(t, b.Bytes())
	})
}

// jsonValue generates values with nesting and awkward strings.
func jsonValue(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.StringMatching(`[\\"{}\[\],: ]{0,8}`), func(s string) any { return s }),
		rapid.Map(rapid.Float64Range(-1e9, 1e9), func(f float64) any { return f }),
		rapid.SampledFrom([]any{nil, true, false}),
	)
	if depth == 0 {
		return leaf
	}
	inner := rapid.Deferred(func() *rapid.Generator[any] { return jsonValue(depth - 1) })
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(inner, 0, 3), func(s []any) any { return s }),
		rapid.Map(rapid.MapOfN(rapid.String(), inner, 0, 3), func(m map[string]any) any { return m }))
}

func TestScanEnvelopeDoesNotAllocate(t *testing.T) {
	data := []byte(sampleEvent)
	all := func([]byte) bool { return true }
	if n := testing.AllocsPerRun(100, func() { _, _ = scanEnvelope(data, all) }); n != 0 {
		t.Errorf("%v allocations per message, want none", n)
	}
}

const sampleEvent = `{"method":"Page.frameNavigated","params":{"frame":{"id":"4B9A7C0E6D1F4A5B8C2D3E4F5A6B7C8D","loaderId":"0F1E2D3C4B5A69788796A5B4C3D2E1F0","url":"https://example.com/a/path?with=query&and=more","domainAndRegistry":"example.com","securityOrigin":"https://example.com","securityOriginDetails":{"isLocalhost":false},"mimeType":"text/html","adFrameStatus":{"adFrameType":"none"},"secureContextType":"Secure","crossOriginIsolatedContextType":"NotIsolated","gatedAPIFeatures":[]},"type":"Navigation"},"sessionId":"9C1B2A3D4E5F60718293A4B5C6D7E8F9"}`

func BenchmarkScanEnvelope(b *testing.B) {
	large := `{"id":12,"result":{"nodes":[` + string(bytes.Repeat([]byte(`{"nodeId":"12","role":{"type":"role","value":"link"},"ignored":false},`), 15000)) + `{}]},"sessionId":"A"}`
	screenshot := `{"id":12,"result":{"data":"` + string(bytes.Repeat([]byte("iVBORw0KGgo"), 100000)) + `"},"sessionId":"A"}`
	unwanted := func([]byte) bool { return false }
	for _, bm := range []struct {
		name   string
		data   string
		wanted func([]byte) bool
	}{
		{"event_700B", sampleEvent, nil},
		{"skipped_event", sampleEvent, unwanted},
		{"small_reply", `{"id":123456,"result":{},"sessionId":"9C1B2A3D4E5F60718293A4B5C6D7E8F9"}`, nil},
		{"ax_tree_1MB", large, nil},
		{"screenshot_1MB", screenshot, nil},
	} {
		b.Run(bm.name, func(b *testing.B) {
			data := []byte(bm.data)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := scanEnvelope(data, bm.wanted); !ok {
					b.Fatal("not an envelope")
				}
			}
		})
	}
}
