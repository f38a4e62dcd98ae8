// Package sdktest runs a plugin in tests: natively, as ordinary code of the test binary, or with package
// host/module/plugintest as a built module, in the host's own runtime. The same table of cases runs on both. [Built]
// does the latter with the command hermes-cdp, for plugins that have nothing but the SDK.
//
// # Golden tables
//
// A table is a JSON file, by convention testdata/golden.json next to the plugin's sources; its messages are in the JSON
// of package abijson. [Run] runs each case as a subtest:
//
//	func TestGoldenTableNatively(t *testing.T) { sdktest.Run(t, "testdata/golden.json", sdktest.Native) }
//
//	{
//	  "hook": "hermes_on_dialog",
//	  "cases": [
//	    {"name": "an alert is dismissed", "config": {"policy": "auto_dismiss"},
//	     "event": {"type": "alert"}, "verdict": {"action": "dismiss"}},
//	    {"name": "a question that was answered once is answered the same",
//	     "kv": {"Leave?": "accept"},
//	     "event": {"type": "confirm", "message": "Leave?"}, "verdict": {"action": "accept"}},
//	    {"name": "the answer is remembered", "hook": "hermes_on_dialog_closed",
//	     "event": {"accepted": true}, "verdict": {}, "kv_after": {"last": "accept"}}
//	  ]
//	}
//
// The input of a case is its hook (default: the table's), config, event (default: empty), and what the plugin can
// access: kv, the store before the call, whose values are strings or {"base64": "..."}; state, JSON by key; embedder,
// the answers of an embedder's functions by name and request; and capabilities, which are granted. Without
// capabilities, a case grants kv if it has kv or kv_after, and state if it has state.
//
// A case expects exactly one of verdict ({} for a hook without verdicts), abstain, error (the reason) and init_error (a
// part of the reason why the configuration is refused), and optionally kv_after, the whole store after the call. A case
// without an expectation, or with the verdict null, fails and shows what the plugin returned, to copy into the case.
//
// A case of a tool with a page script can have a document, an HTML file beside the table. The command plugin test, and
// with it [Built], opens it in a browser and calls the tool there: what the page script returns must be the page of the
// event, so that the script and what handles its result are held to the same page.
//
// If a plugin panics, the case fails with its message and a stack trace. The trace needs the names of functions, which
// are there natively and in modules that Go builds; with -no-debug, TinyGo leaves them out.
package sdktest
