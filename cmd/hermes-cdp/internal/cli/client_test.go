package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func TestWithoutADaemonOfOnesOwnTheServiceIsNamed(t *testing.T) {
	service := t.TempDir()
	control, agents := filepath.Join(service, "control.sock"), filepath.Join(service, "agents.sock")
	for _, path := range []string{control, agents} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	own := config.Control{Socket: "/run/user/1000/hermes-cdp/control.sock", AgentsSocket: "/run/user/1000/hermes-cdp/control-agents.sock"}
	const add = "no daemon is running, or use the service of this machine: --set "
	for name, c := range map[string]struct {
		directory string
		control   config.Control
		agent     bool
		want      string
	}{
		"an operator":              {service, own, false, add + "control.socket=" + control},
		"an agent":                 {service, own, true, add + "control.agents_socket=" + agents},
		"there is no service":      {t.TempDir(), own, false, "no daemon is running"},
		"the service was asked":    {service, config.Control{Socket: control}, false, "no daemon is running"},
		"it is asked at a port":    {service, config.Control{Address: "127.0.0.1:9333"}, false, "no daemon is running"},
		"the agent asked it there": {service, config.Control{AgentsSocket: agents}, true, "no daemon is running"},
	} {
		if err := withService(fault.ErrNoDaemon, c.directory, c.control, c.agent); err.Error() != c.want || !errors.Is(err, fault.ErrNoDaemon) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
