package plugincmd

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// canaryFlags say for which share of the tasks a candidate decides, and when it is promoted or dropped.
type canaryFlags struct {
	serve        string
	promoteAfter uint64
	dropOn       []string
}

func (f *canaryFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.serve, "serve", "", "let the candidate serve this `PERCENTAGE` of the tasks for real, such as 5%")
	cmd.Flags().Uint64Var(&f.promoteAfter, "promote-after", 0, "promote it automatically after this `NUMBER` of calls, served or compared")
	cmd.Flags().StringSliceVar(&f.dropOn, "drop-on", nil, "drop it automatically on its first `fault`, on the first difference, or if its calls take more than twice the fuel: fault,difference,fuel")
}

// apply adds them to a change.
func (f *canaryFlags) apply(c *host.PluginChange) error {
	c.PromoteAfter, c.DropOn = f.promoteAfter, f.dropOn
	if f.serve == "" {
		return nil
	}
	share, err := strconv.ParseFloat(strings.TrimSuffix(f.serve, "%"), 64)
	if err != nil || !(share > 0 && share <= 100) {
		return fmt.Errorf("--serve is %q, want a share of the tasks above 0 and up to 100, such as 5%%", f.serve)
	}
	c.ServePercent = share
	return nil
}

// servedText says for whom a candidate decides, and what happens to it.
func servedText(s host.PluginShadow) string {
	var parts []string
	if s.ServePercent > 0 {
		parts = append(parts, fmt.Sprintf("%v%% of the tasks", s.ServePercent))
	}
	if len(s.Tasks) > 0 {
		parts = append(parts, strings.Join(s.Tasks, ", "))
	}
	text := cmp.Or(strings.Join(parts, " and "), "no task")
	if s.PromoteAfter > 0 {
		text += fmt.Sprintf("; promoted after %d calls, %d so far", s.PromoteAfter, s.Answered)
	}
	if len(s.DropOn) > 0 {
		text += "; dropped on " + strings.Join(s.DropOn, ", ")
	}
	return text
}
