package plugin

import "testing"

func TestAStackNamesFunctionsAsTheFileDoes(t *testing.T) {
	m := load(t, "panic", Limits{}) // imports two functions
	m.importedFunctions = 2
	for line, want := range map[string]string{
		".main.decide(i32,i32)":                "main.decide",
		".main.(*T).Method(i32) i64":           "main.(*T).Method",
		".two(i32) (i32,i64)":                  "two",
		".none()":                              "none",
		".$1(i32) i32":                         "func[1]",
		".$3()":                                "func[2]",
		".$x()":                                "$x",
		"... maybe followed by omitted frames": "... maybe followed by omitted frames",
	} {
		if got := m.frame(line); got != want {
			t.Errorf("%s is %q, want %q", line, got, want)
		}
	}
	message, trace := m.splitTrap("wasm error: unreachable\nwasm stack trace:\n\t.a\x1b[1m()\n\t.b()\n")
	if message != "unreachable" || trace != "a\\x1b[1m\nb" {
		t.Errorf("message %q, stack %q", message, trace)
	}
}
