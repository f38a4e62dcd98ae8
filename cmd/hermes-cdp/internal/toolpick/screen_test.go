package toolpick

import (
	"context"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shown is a picker on a screen that nobody sees.
func shown(t *testing.T, width, height int, now Choice) (*picker, tcell.SimulationScreen) {
	t.Helper()
	screen := tcell.NewSimulationScreen("UTF-8")
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(screen.Fini)
	screen.SetSize(width, height)
	tools, sets := world()
	s := New(tools, sets, now)
	p := &picker{screen: screen, state: s, rows: rowsOf(s)}
	p.draw()
	return p, screen
}

func lines(screen tcell.SimulationScreen) []string {
	cells, width, height := screen.GetContents()
	out := make([]string, height)
	for y := range height {
		var line strings.Builder
		for _, cell := range cells[y*width : (y+1)*width] {
			line.WriteString(string(cell.Runes))
		}
		out[y] = strings.TrimRight(line.String(), " ")
	}
	return out
}

func (p *picker) types(keys ...tcell.Key) {
	for _, key := range keys {
		p.handle(tcell.NewEventKey(key, 0, tcell.ModNone))
		p.draw()
	}
}

func (p *picker) writes(text string) {
	for _, r := range text {
		p.handle(tcell.NewEventKey(tcell.KeyRune, r, tcell.ModNone))
		p.draw()
	}
}

func TestTheScreenShowsStatesSourcesAndReasons(t *testing.T) {
	p, screen := shown(t, 80, 30, read("; c"))
	text := strings.Join(lines(screen), "\n")
	for _, want := range []string{
		"> [~] all      5 of 10", "  [~] browser  5 of 6", "  [x] a        browser       Does a.", "  [ ] c        browser", "  [ ] p1       p ", "space switches",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not there:\n%s", want, text)
		}
	}
	if strings.Contains(text, "hermes-cli") {
		t.Errorf("what is hidden is shown:\n%s", text)
	}
	p.writes("jjjjjjjj")
	if text := strings.Join(lines(screen), "\n"); !strings.Contains(text, "> [ ] c ") || !strings.Contains(text, "c, from browser: off, by disabled_tools") {
		t.Errorf("at c:\n%s", text)
	}
	p.writes(" ")
	if text := strings.Join(lines(screen), "\n"); !strings.Contains(text, "> [x] c ") || !strings.Contains(text, "  [x] browser  6 of 6") || !strings.Contains(text, "on, as you chose") {
		t.Errorf("with c:\n%s", text)
	}
	p.types(tcell.KeyEnter)
	if !p.done || !p.save {
		t.Error("it is not saved")
	}
}

func TestALongListIsSeenInParts(t *testing.T) {
	p, screen := shown(t, 30, 10, Choice{})
	p.types(tcell.KeyEnd)
	if text := lines(screen); !strings.HasPrefix(text[5], "> [ ] p2") || !strings.HasPrefix(text[2], "  [ ] g") {
		t.Errorf("at the end:\n%s", strings.Join(text, "\n"))
	}
	p.types(tcell.KeyPgUp)
	if text := lines(screen); !strings.HasPrefix(text[2], "> [x] f") {
		t.Errorf("a page up:\n%s", strings.Join(text, "\n"))
	}
	screen.SetSize(30, 40)
	p.draw()
	if text := lines(screen); !strings.HasPrefix(text[2], "  [~] all") {
		t.Errorf("on a larger screen:\n%s", strings.Join(text, "\n"))
	}
	screen.SetSize(20, 4) // no room for more than one row
	p.draw()
	if text := lines(screen); !strings.HasPrefix(text[2], "> [x] f") {
		t.Errorf("on a small screen:\n%s", strings.Join(text, "\n"))
	}
	screen.SetSize(0, 0)
	p.draw()
	p.types(tcell.KeyHome, tcell.KeyUp, tcell.KeyPgDn, tcell.KeyDown)
	if p.at != 2 {
		t.Errorf("the cursor is at %d", p.at)
	}
}

func TestNoToolCanNotBeSaved(t *testing.T) {
	p, screen := shown(t, 100, 30, Choice{})
	p.writes("j s")
	if p.done {
		t.Fatal("it is saved")
	}
	if text := strings.Join(lines(screen), "\n"); !strings.Contains(text, "no tool is chosen") {
		t.Errorf("it is not said why:\n%s", text)
	}
	p.writes("q")
	if !p.done || p.save {
		t.Error("q does not leave it")
	}
}

func TestAnEndOfTheContextCancels(t *testing.T) {
	screen := tcell.NewSimulationScreen("UTF-8")
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	defer screen.Fini()
	ctx, cancel := context.WithCancel(t.Context())
	saved := make(chan bool)
	tools, sets := world()
	go func() { saved <- OnScreen(ctx, screen, New(tools, sets, Choice{})) }()
	screen.InjectKey(tcell.KeyDown, 0, tcell.ModNone)
	cancel()
	if <-saved {
		t.Error("it is saved")
	}
}

func TestByLines(t *testing.T) {
	for name, c := range map[string]struct {
		typed string
		save  bool
		says  []string
		want  string
	}{
		"a tool and a toolset are switched":   {"5, 13\nl\ns\n", true, []string{"  1 [~] all      6 of 10", "5 [x] p  2 of 2", "13 [x] g  browser"}, "browser p g;"},
		"what is no number is said":           {"99 fly\nq\n", false, []string{`"99" is none of 1 to 16, l, s, q`, `"fly" is none`}, "browser;"},
		"the end of the input cancels":        {"5\n", false, []string{"numbers to switch"}, "browser p;"},
		"a choice without tools is not saved": {"2 s\nq\n", false, []string{"no tool is chosen"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tools, sets := world()
			s := New(tools, sets, read("browser;"))
			var out strings.Builder
			save, err := ByLines(strings.NewReader(c.typed), &out, s)
			if err != nil || save != c.save {
				t.Errorf("saved %v, %v", save, err)
			}
			for _, want := range c.says {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q is not in:\n%s", want, out.String())
				}
			}
			if strings.Contains(out.String(), "\x1b") {
				t.Error("the terminal is steered")
			}
			if got, err := s.Choice(); err == nil && names(got) != names(read(c.want)) {
				t.Errorf("chosen is %+v", got)
			}
		})
	}
}
