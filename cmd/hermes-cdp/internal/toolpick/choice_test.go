package toolpick

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// world has ten tools: browser has a to f, read a and b, full a to h; p1 and p2 are of the plugin p; gone is a source
// that has no tools now.
func world() ([]Tool, []Set) {
	in := map[string][]string{
		"a": {"browser", "full", "hermes-cli", "read"}, "b": {"browser", "full", "hermes-cli", "read"}, "c": {"browser", "full", "hermes-cli"},
		"d": {"browser", "full", "hermes-cli"}, "e": {"browser", "full", "hermes-cli"}, "f": {"browser", "full", "hermes-cli"},
		"g": {"full"}, "h": {"full"}, "p1": {"p"}, "p2": {"p"},
	}
	var tools []Tool
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "p1", "p2"} {
		source := "browser"
		if strings.HasPrefix(name, "p") {
			source = "p"
		}
		tools = append(tools, Tool{Name: name, Source: source, Description: "Does " + name + ".", Toolsets: in[name]})
	}
	return tools, []Set{
		{Name: "all", About: "everything"}, {Name: "browser"}, {Name: "full"}, {Name: "gone"}, {Name: "hermes-cli", Hidden: true}, {Name: "p"}, {Name: "read"},
	}
}

// switches does what a person does: a word is a tool or a toolset.
func switches(s *State, words string) {
	for word := range strings.FieldsSeq(words) {
		if s.isTool(word) {
			s.SwitchTool(word)
		} else {
			s.SwitchSet(word)
		}
	}
}

func TestTheFileSaysWhatIsChosenInFewNames(t *testing.T) {
	for name, c := range map[string]struct {
		now      string // toolsets, then what is disabled
		switched string
		want     string
	}{
		"nothing is switched":                             {";", "", ";"},
		"switched there and back":                         {"read browser; g", "a a p p", "read browser; g"},
		"a tool more":                                     {";", "g", "browser g;"},
		"a tool less":                                     {";", "c", "; c"},
		"a disabled tool is taken back":                   {"; c", "c", ";"},
		"most of a toolset is switched off":               {";", "b c d e f", "a;"},
		"what is left of one is another":                  {";", "c d e f", "read;"},
		"half of a toolset is switched off":               {"full; ", "c d e f", "read g h;"},
		"what is disabled already costs no name":          {"; c d e f", "g", "browser g; c d e f"},
		"single tools that make a toolset":                {";", "p1 p2", "browser p;"},
		"a toolset more":                                  {";", "p", "browser p;"},
		"a toolset that contains the one in use":          {";", "full", "full;"},
		"all tools of it one by one":                      {";", "g h", "full;"},
		"a toolset in place of another":                   {";", "browser read", "read;"},
		"a toolset that another one has as well":          {"full;", "read", "full; a b"},
		"everything":                                      {";", "all", "all;"},
		"everything but one":                              {"all;", "h", "all; h"},
		"everything in its other spelling stays as it is": {"*;", "h", "*; h"},
		"a toolset that has no tools now stays":           {"browser gone;", "g", "browser gone g;"},
		"one that has no tools is taken out":              {"browser gone;", "gone", "browser;"},
		"one that has no tools is put in":                 {";", "gone", "browser gone;"},
		"one for clients that is in use stays":            {"hermes-cli;", "g", "hermes-cli g;"},
		"a disabled tool that is in no toolset stays so":  {"; p1", "g", "browser g; p1"},
		"single tools in the order in which they stood":   {"p2 a;", "h", "p2 a h;"},
		"a name that a toolset has too is left out":       {"a browser;", "h", "browser h;"},
		"a toolset that is named twice":                   {"browser browser;", "h", "browser h;"},
	} {
		t.Run(name, func(t *testing.T) {
			tools, sets := world()
			s := New(tools, sets, read(c.now))
			switches(s, c.switched)
			got, err := s.Choice()
			if err != nil || !reflect.DeepEqual(names(got), names(read(c.want))) {
				t.Errorf("got %+v (%v), want %s", got, err, c.want)
			}
		})
	}
}

func read(text string) Choice {
	sets, disabled, _ := strings.Cut(text, ";")
	return Choice{strings.Fields(sets), strings.Fields(disabled)}
}

// names is a choice in which nil and empty are one.
func names(c Choice) string {
	return strings.Join(c.Toolsets, " ") + ";" + strings.Join(c.Disabled, " ")
}

func TestNoToolIsNoChoice(t *testing.T) {
	tools, sets := world()
	s := New(tools, sets, Choice{})
	switches(s, "browser")
	if _, err := s.Choice(); !errors.Is(err, ErrNothing) {
		t.Errorf("got %v", err)
	}
}

// Whatever is switched: what is written means what was chosen, and is not longer than a list of it.
func TestWhatIsWrittenIsWhatIsChosen(t *testing.T) {
	tools, sets := world()
	var words []string
	for _, it := range tools {
		words = append(words, it.Name)
	}
	for _, it := range sets {
		words = append(words, it.Name)
	}
	rapid.Check(t, func(t *rapid.T) {
		now := Choice{
			Toolsets: rapid.SliceOfNDistinct(rapid.SampledFrom(words), 0, 4, rapid.ID[string]).Draw(t, "toolsets"),
			Disabled: rapid.SliceOfNDistinct(rapid.SampledFrom(words[:len(tools)]), 0, 3, rapid.ID[string]).Draw(t, "disabled"),
		}
		s := New(tools, sets, now)
		switches(s, strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 8).Draw(t, "switched"), " "))
		got, err := s.Choice()
		if err != nil {
			if on, _ := s.Count("all"); on > 0 {
				t.Fatal(err)
			}
			return
		}
		after := New(tools, sets, got)
		if !maps.Equal(after.on, s.on) || !maps.Equal(after.empty, s.empty) {
			t.Fatalf("%+v means %v and %v, chosen are %v and %v", got, after.on, after.empty, s.on, s.empty)
		}
		for _, list := range [][]string{got.Toolsets, got.Disabled} {
			if s.Changed() && len(slices.Compact(slices.Sorted(slices.Values(list)))) != len(list) {
				t.Fatalf("a name is there twice: %+v", got)
			}
		}
	})
}

func TestWhyAToolIsOnOrOff(t *testing.T) {
	tools, sets := world()
	tools[1].Barred = "browser.evaluate_enabled is false"
	s := New(tools, sets, read("read p1; a"))
	switches(s, "h")
	for i, want := range map[int]string{
		0: "off, by disabled_tools", 1: "on, but browser.evaluate_enabled is false", 2: "off, in no toolset in use; browser has it",
		7: "on, as you chose", 8: "on, by its name in toolsets",
	} {
		if got := s.Why(tools[i]); got != want {
			t.Errorf("%s is %q, want %q", tools[i].Name, got, want)
		}
	}
	tools[1].Barred = ""
	if got := s.Why(tools[1]); got != "on, by read" {
		t.Errorf("b is %q", got)
	}
	switches(s, "p1")
	if got := s.Why(tools[8]); got != "off, as you chose" {
		t.Errorf("p1 is %q", got)
	}
}
