//go:build unix

package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/internal/freeport"
)

const (
	rulesFile     = "../../../../deploy/prometheus/alerts.yaml"
	ruleTests     = "../../../../deploy/prometheus/alerts_test.yaml"
	dashboardFile = "../../../../deploy/grafana/hermes-cdp.json"
)

func readAll(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// promtool is of Debian's package prometheus; make tools installs it.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	check := exec.CommandContext(t.Context(), "promtool", args...)
	check.Dir = filepath.Dir(rulesFile)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("promtool %v: %v\n%s", args, err, out)
	}
}

func TestEveryAlertIsTested(t *testing.T) {
	promtool(t, "check", "rules", filepath.Base(rulesFile))
	promtool(t, "check", "config", "prometheus.yaml")
	promtool(t, "test", "rules", filepath.Base(ruleTests))
	tests := readAll(t, ruleTests)
	for _, alert := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(readAll(t, rulesFile), -1) {
		quiet := strings.Contains(tests, "alertname: "+alert[1]+", exp_alerts: []")
		if fires := strings.Contains(tests, "alertname: "+alert[1]+"\n"); !quiet || !fires {
			t.Errorf("%s is tested when it is quiet: %v, and when it fires: %v", alert[1], quiet, fires)
		}
	}
}

// queries are those of the dashboard, by where they are.
func queries(t *testing.T) map[string]string {
	t.Helper()
	var board struct {
		Templating, Annotations struct {
			List []struct{ Name, Expr string }
		}
		Panels []struct {
			Title   string
			Targets []struct{ RefID, Expr string }
		}
	}
	if err := json.Unmarshal([]byte(readAll(t, dashboardFile)), &board); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, a := range board.Annotations.List {
		all["annotation "+a.Name] = a.Expr
	}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			all[p.Title+" "+target.RefID] = target.Expr
		}
	}
	fill := strings.NewReplacer("$__rate_interval", "30s", "$instance", ".*", "$plugin", ".*")
	for where, query := range all {
		all[where] = fill.Replace(query)
		if strings.Contains(all[where], "$") {
			t.Errorf("%s has a variable that this test does not know: %s", where, query)
		}
	}
	return all
}

// metricName matches the names of this project's metrics.
var metricName = regexp.MustCompile(`hermes_cdp_\w+`)

// A real Prometheus that has scraped a real daemon answers every query of the dashboard, and evaluates every alert.
func TestAPrometheusAnswersTheDashboard(t *testing.T) {
	faulty, err := filepath.Abs("../../../../host/internal/e2e/testdata/trap_later.wasm")
	if err != nil {
		t.Fatal(err)
	}
	o, file := optionsOf(t, "browser: {executable: '"+hosttest.Executable(t)+"'}\n"+
		"plugins: {faulty: {path: '"+faulty+"', hooks: [dialog-closed], extra_hooks: ignore}}\nmcp_servers: {broken: {command: /no/such/program}}\nplugin_faults: 0\n")
	o.Config.Control.MetricsAddress = ":0"
	d := startWith(t, o, file)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	p := d.prometheus(ctx)
	api := d.operator()
	if _, err := api.Connect(ctx, control.ConnectRequest{Task: "mine", Launch: true}); err != nil {
		t.Fatal(err)
	}
	policy, err := filepath.Abs("../../../../plugins/dist/dialog-policy.wasm")
	if err != nil {
		t.Fatal(err)
	}
	candidate := host.PluginChange{PluginSource: host.PluginSource{Path: policy}, Config: map[string]any{"policy": "must_respond"}}
	if _, err := api.ShadowPlugin(ctx, "dialog-policy", candidate); err != nil {
		t.Fatal(err)
	}
	use := func() {
		d.answered(ctx, "mine", "void setTimeout(() => confirm('page text'), 0)", func(open host.Dialog) error {
			_, err := api.RespondDialog(ctx, "mine", control.DialogAnswer{DialogID: open.ID})
			return err
		})
		for tool, arguments := range map[string]string{"browser_tabs": "{}", "browser_click": `{"ref":"e99999"}`} {
			if code := d.statusOf(operatorsSocket, "", "POST", "/v1/agent/tools/"+tool+"/call?task=mine", arguments); code != http.StatusOK {
				t.Errorf("%s: %d", tool, code)
			}
		}
	}
	left := queries(t)
	swaps := left["annotation Swaps"]
	delete(left, "annotation Swaps") // which has an answer only once there is a swap
	for len(left) > 0 {
		if use(); ctx.Err() != nil {
			break
		}
		maps.DeleteFunc(left, func(_, query string) bool { return p.answers(ctx, query) })
	}
	for where, query := range left {
		t.Errorf("%s has no answer: %s", where, query)
	}
	for p.answers(ctx, swaps) { // not yet
		t.Fatal("a swap is shown, and there was none")
	}
	if _, err := api.PromotePlugin(ctx, "dialog-policy", ""); err != nil {
		t.Fatal(err)
	}
	for !p.answers(ctx, swaps) {
		if ctx.Err() != nil {
			t.Fatal("the swap is not shown")
		}
		use()
	}

	names := p.names(ctx)
	for _, source := range []string{readAll(t, rulesFile), strings.Join(slices.Collect(maps.Values(queries(t))), "\n")} {
		for _, name := range metricName.FindAllString(source, -1) {
			if name == "hermes_cdp_provider_sessions" { // only where browsers are rented, which its panel allows for
				continue
			}
			if !slices.Contains(names, name) {
				t.Errorf("nothing is called %s", name)
			}
		}
	}
	for {
		bad, rules := p.rules(ctx)
		if len(bad) == 0 {
			if want := strings.Count(readAll(t, rulesFile), "alert: "); rules != want {
				t.Errorf("%d alerts are evaluated, want %d", rules, want)
			}
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("these alerts cannot be evaluated: %v", bad)
		}
	}
}

// prometheus is a real one that scrapes a daemon.
type prometheus struct {
	t    *testing.T
	base string
}

// prometheus starts one, and waits until it has scraped.
func (d *running) prometheus(ctx context.Context) *prometheus {
	d.t.Helper()
	rules, err := filepath.Abs(rulesFile)
	if err != nil {
		d.t.Fatal(err)
	}
	dir := d.t.TempDir()
	text := "global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: ['" + rules + "']\n" +
		"scrape_configs: [{job_name: hermes-cdp, static_configs: [{targets: ['" + d.at.Metrics + "']}]}]\n"
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yaml"), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	address := fmt.Sprint("127.0.0.1:", freeport.For(d.t))
	var log bytes.Buffer
	cmd := exec.Command("prometheus", "--config.file="+filepath.Join(dir, "prometheus.yaml"), "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+address, "--log.level=warn")
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		if d.t.Failed() {
			d.t.Logf("Prometheus: %s", log.String())
		}
	})
	p := &prometheus{d.t, "http://" + address}
	for !p.answers(ctx, `up{job="hermes-cdp"} == 1`) {
		if ctx.Err() != nil {
			d.t.Fatal("Prometheus has not scraped the daemon")
		}
	}
	return p
}

// ask asks the API; what is asked while Prometheus begins has no answer.
func (p *prometheus) ask(ctx context.Context, path string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	if err != nil {
		return err
	}
	transport := &http.Transport{DisableKeepAlives: true}
	answer, err := (&http.Client{Transport: transport}).Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var body struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		return err
	}
	if body.Status != "success" {
		return &fault.Error{Code: fault.ErrBadRequest, Err: errors.New(body.Error)}
	}
	return json.Unmarshal(body.Data, into)
}

// answers reports whether a query has a number now.
func (p *prometheus) answers(ctx context.Context, query string) bool {
	p.t.Helper()
	var data struct{ Result []struct{ Value []any } }
	err := p.ask(ctx, "/api/v1/query?query="+url.QueryEscape(query), &data)
	if errors.Is(err, fault.ErrBadRequest) {
		p.t.Errorf("%s: %v", query, err)
		return true
	}
	for _, r := range data.Result {
		if len(r.Value) == 2 && r.Value[1] != "NaN" {
			return true
		}
	}
	return false
}

func (p *prometheus) names(ctx context.Context) (names []string) {
	p.t.Helper()
	if err := p.ask(ctx, "/api/v1/label/__name__/values", &names); err != nil {
		p.t.Fatal(err)
	}
	return names
}

// rules says what is wrong with alerts, and how many there are.
func (p *prometheus) rules(ctx context.Context) (bad []string, n int) {
	p.t.Helper()
	var data struct {
		Groups []struct {
			Rules []struct{ Name, Health, LastError string }
		}
	}
	if err := p.ask(ctx, "/api/v1/rules", &data); err != nil {
		p.t.Fatal(err)
	}
	for _, g := range data.Groups {
		for _, r := range g.Rules {
			n++
			if r.Health != "ok" {
				bad = append(bad, fmt.Sprintf("%s: %s %s", r.Name, r.Health, r.LastError))
			}
		}
	}
	return bad, n
}
