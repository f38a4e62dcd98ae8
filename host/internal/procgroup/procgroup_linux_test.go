package procgroup

import (
	"bufio"
	"os/exec"
	"testing"
)

// A process that the program started would survive it, and keeps the other end of its output open: the end of the
// output shows that it ended.
func TestWhatAProgramStartedEndsWithIt(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		end    func(*Group)
	}{
		"by itself":  {"sleep 1000 & echo ready", func(*Group) {}},
		"terminated": {"sleep 1000 & echo ready; wait", (*Group).Terminate},
		"killed":     {"trap '' TERM; sleep 1000 & echo ready; wait", (*Group).Kill},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("sh", "-c", c.script)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			g, err := Start(cmd)
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(out)
			if _, err := lines.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			c.end(g)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				g.Wait()
			}()
			_, _ = lines.ReadString('\n')
			<-ended
			g.Kill() // it must not reach a process that has the id now
			if cmd.ProcessState == nil {
				t.Error("it was not reaped")
			}
		})
	}
}
