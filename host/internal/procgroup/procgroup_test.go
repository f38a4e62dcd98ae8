package procgroup

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"testing"
)

// role is the environment variable that makes this program one of those below.
const role = "PROCGROUP_TEST_ROLE"

// roles are the programs that the tests start.
var roles = map[string]func(){
	// leaf lives until it is ended.
	"leaf": wait,
	// parent starts a leaf that has its output.
	"parent": func() { startLeaf(); say("ready"); wait() },
	// leaver does, and ends.
	"leaver": func() { startLeaf(); say("ready") },
	// stubborn is a parent that does not end when it is asked to.
	"stubborn": func() { signal.Ignore(os.Interrupt, syscall.SIGTERM); startLeaf(); say("ready"); wait() },
	// owner starts a listener.
	"owner": func() { ownGroup("listener"); say("owned"); wait() },
	// listener lives until its input ends.
	"listener": func() { say("ready"); _, _ = io.Copy(io.Discard, os.Stdin); say("alive") },
	// releaser starts a listener, and lets it live on.
	"releaser": func() {
		if err := ownGroup("listener").Release(); err != nil {
			panic(err)
		}
		say("owned")
		wait()
	},
}

func TestMain(m *testing.M) {
	if play := roles[os.Getenv(role)]; play != nil {
		play()
		return
	}
	os.Exit(m.Run())
}

// say tells the test something.
func say(text string) { _, _ = os.Stdout.WriteString(text + "\n") }

func wait() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.Signal(0x1f)) // which nobody sends: it keeps the program waiting
	<-asked
}

func program(which string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+which)
	return cmd
}

// ownGroup starts a group that has the input and the output of this program.
func ownGroup(which string) *Group {
	cmd := program(which)
	cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	g, err := Start(cmd)
	if err != nil {
		panic(err)
	}
	return g
}

func startLeaf() {
	leaf := program("leaf")
	leaf.Stdout = os.Stdout
	if err := leaf.Start(); err != nil {
		panic(err)
	}
}

// started is a program that says when its leaf runs. The end of what it says is that of all that have its output.
func started(t *testing.T, cmd *exec.Cmd, start func() error) *bufio.Reader {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil {
		t.Fatalf("it said %q: %v", line, err)
	}
	return lines
}

func TestWhatAProgramStartedEndsWithIt(t *testing.T) {
	type way struct {
		role string
		end  func(*Group)
	}
	ways := map[string]way{"by itself": {"leaver", func(*Group) {}}, "killed": {"stubborn", (*Group).Kill}}
	if runtime.GOOS != "windows" { // where a program hears it only on the console of this one
		ways["terminated"] = way{"parent", (*Group).Terminate}
	}
	for name, c := range ways {
		t.Run(name, func(t *testing.T) {
			cmd := program(c.role)
			var g *Group
			lines := started(t, cmd, func() (err error) {
				g, err = Start(cmd)
				return err
			})
			c.end(g)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				g.Wait()
			}()
			_, _ = io.Copy(io.Discard, lines)
			<-ended
			g.Kill() // it must not reach a process that has the id now
			if cmd.ProcessState == nil {
				t.Error("it was not reaped")
			}
		})
	}
}

// A program that was released lives on when the one that started it is killed. On Windows no other does.
func TestWhatBecomesOfAGroupWhoseOwnerIsKilled(t *testing.T) {
	orphan := "alive\n"
	if runtime.GOOS == "windows" {
		orphan = ""
	}
	for owner, want := range map[string]string{"owner": orphan, "releaser": "alive\n"} {
		cmd := program(owner)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		said := started(t, cmd, cmd.Start)
		if _, err := said.ReadString('\n'); err != nil { // ready and owned come in any order
			t.Fatal(err)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if _, err := cmd.Process.Wait(); err != nil {
			t.Fatal(err)
		}
		if want == "" { // the end of what it says is that of the group
			_, _ = said.Peek(1)
		}
		_ = in.Close()
		if line, err := said.ReadString('\n'); line != want {
			t.Errorf("%s: its group said %q, %v, want %q", owner, line, err, want)
		}
	}
}
