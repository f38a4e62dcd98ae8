package toolpick

import (
	"context"
	"fmt"
	"os"

	"github.com/gdamore/tcell/v2"
)

// Pick shows the choice on a screen, or by lines where the terminal has none or ACCESSIBLE is set. It tells whether the
// choice is to be saved.
func Pick(ctx context.Context, in, out *os.File, s *State) (bool, error) {
	if name := os.Getenv("TERM"); name == "" || name == "dumb" || os.Getenv("ACCESSIBLE") != "" {
		return ByLines(in, out, s)
	}
	screen, err := tcell.NewScreen()
	if err != nil { // nobody knows how to move the cursor of this terminal
		return ByLines(in, out, s)
	}
	if err := screen.Init(); err != nil {
		return false, fmt.Errorf("the terminal: %w; set ACCESSIBLE=1 to choose by lines", err)
	}
	defer screen.Fini()
	return OnScreen(ctx, screen, s), nil
}
