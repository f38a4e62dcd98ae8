// Package sdktest runs a plugin in tests: natively, where it is code of the test binary like any other, and as the
// module that it was built into, by the host's own runtime. A table of cases runs the same on both.
//
// # Golden tables
//
// A table is a JSON file, by convention testdata/golden.json beside the plugin's sources; its messages are in the JSON of
// package abijson. [Run] makes each case a subtest:
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
// What a case gives: hook (else the table's), config, event (else the empty one), and what the plugin can ask for: kv, the
// store before the call, whose values are strings or {"base64": "..."}; state, JSON by key; capabilities, which is what is
// granted. Without capabilities a case grants kv if it has kv or kv_after, and state if it has state.
//
// What it expects is exactly one of verdict ({} of a hook that wants none), abstain, error (the reason) and init_error (a
// part of the reason for which the configuration is refused), and beside it kv_after, the whole store after the call. A
// case without an expectation, or with the verdict null, fails, and says what the plugin gave: state the verdict that you
// want.
//
// A plugin that panics fails the case with its message and the functions that it was in, where the module has their
// names: natively and in modules that Go builds; TinyGo leaves them out with -no-debug.
package sdktest
