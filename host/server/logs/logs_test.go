package logs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

const here = "host/server/logs"

func TestALevelIsOfAPackage(t *testing.T) {
	for name, c := range map[string]struct {
		level string
		items []string
		debug bool
	}{
		"the general one":         {"debug", nil, true},
		"another general one":     {"info", nil, false},
		"its own":                 {"error", []string{here + "=debug"}, true},
		"its last name":           {"error", []string{"logs=debug"}, true},
		"of those above":          {"error", []string{"host=debug"}, true},
		"in between":              {"error", []string{"server=debug"}, true},
		"the longest":             {"error", []string{"host=error", "host/server=debug"}, true},
		"the longest is stricter": {"debug", []string{"host/server=error", "host=debug"}, false},
		"another's":               {"info", []string{"log=debug", "host/internal=debug", "ost/server=debug"}, false},
	} {
		levels := NewLevels()
		if err := levels.Use(c.level, c.items); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		log := slog.New(NewHandler(&out, false, levels)).With("task", "t").WithGroup("g")
		log.Debug("a line", "n", 1)
		if got := strings.Contains(out.String(), `msg="a line" task=t g.n=1`); got != c.debug {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}

func TestLevelsChangeWhileLogging(t *testing.T) {
	levels := NewLevels()
	var out bytes.Buffer
	log := slog.New(NewHandler(&out, true, levels))
	say := func() bool {
		defer out.Reset()
		log.Debug("a line")
		return out.Len() > 0
	}
	change := func(s Setting) {
		t.Helper()
		if err := levels.Change(s); err != nil {
			t.Fatal(err)
		}
	}
	if say() || log.Enabled(t.Context(), slog.LevelDebug) {
		t.Error("debug is logged at first")
	}
	change(Setting{Packages: map[string]string{"logs": "debug", "mcp": "warn"}})
	if !say() {
		t.Error("debug is not logged")
	}
	if s := levels.Setting(); s.Level != "info" || fmt.Sprint(s.Packages) != "map[logs:debug mcp:warn]" || !slices.Equal(s.Seen, []string{here}) {
		t.Errorf("%+v", s)
	}
	change(Setting{Packages: map[string]string{"logs": Default}})
	if say() || fmt.Sprint(levels.Setting().Packages) != "map[mcp:warn]" {
		t.Errorf("%+v", levels.Setting())
	}
	change(Setting{Level: "debug"})
	if !say() || levels.Level() != slog.LevelDebug {
		t.Errorf("%+v", levels.Setting())
	}
	before := levels.Setting()
	for _, bad := range []Setting{{Level: "loud"}, {Level: "warn", Packages: map[string]string{"a b": "info"}}, {Packages: map[string]string{"a": "loud"}}, {Packages: map[string]string{"": "info"}}} {
		if err := levels.Change(bad); !errors.Is(err, fault.ErrBadRequest) || fmt.Sprint(levels.Setting()) != fmt.Sprint(before) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if err := levels.Use("info", []string{"engine"}); !errors.Is(err, fault.ErrBadRequest) {
		t.Errorf("%v", err)
	}
}

// Whatever is logged of a secret's type is redacted, also deep inside, in both formats.
func TestSecretsAreRedactedByType(t *testing.T) {
	address, err := url.Parse("wss://user:hunter2@host.example/devtools/hunter2hunter2?token=hunter2")
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{"Authorization": {"Bearer hunter2"}}
	request.AddCookie(&http.Cookie{Name: "session", Value: "hunter2"})
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		log := slog.New(NewHandler(&out, asJSON, NewLevels())).With("address", address)
		log.Info("a line", "text", secret.New("hunter2"), "url", *address, "user", address.User, "header", request.Header, "request", request,
			"cookies", request.Cookies(), "cookie", request.Cookies()[0], "error", &url.Error{Op: "Get", URL: address.String(), Err: errors.New("refused")},
			"wrapped", fmt.Errorf("dial: %w", &url.Error{Op: "Get", URL: address.String(), Err: errors.New("refused")}), "bytes", []byte("hunter2"),
			slog.Group("group", "key", secret.New("hunter2"), "url", address), "struct", struct{ Key secret.Text }{secret.New("hunter2")})
		line := out.String()
		if strings.Contains(line, "hunter2") || strings.Contains(line, "aHVudGVyMg") || !strings.Contains(line, "refused") || strings.Count(line, "host.example") < 5 {
			t.Errorf("%s", line)
		}
		if asJSON && !json.Valid(out.Bytes()) || strings.Count(line, "\n") != 1 {
			t.Errorf("it is no line: %s", line)
		}
	}
}

// BenchmarkALineThatIsOff is what a line costs that its package's level leaves out.
func BenchmarkALineThatIsOff(b *testing.B) {
	log := slog.New(NewHandler(&bytes.Buffer{}, false, NewLevels()))
	b.ReportAllocs()
	for b.Loop() {
		log.Debug("a line", "task", "t")
	}
}
