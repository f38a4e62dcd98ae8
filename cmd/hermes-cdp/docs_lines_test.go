package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	hermescdp "github.com/hermes-cdp/hermes-cdp"
)

// docsLine is a command of this program as a page has it.
type docsLine struct {
	words   []string // after the program's name
	mention bool     // in running text, where arguments may be left out
}

// Every command line in the documentation is one that the commands of today take; none of them is run.
func TestEveryCommandLineOfTheDocumentationIsOneOfToday(t *testing.T) {
	found := 0
	for page := range documents(t).Pages {
		if page == "RATIONALE.md" || page == "CHANGELOG.md" { // they also tell of what was
			continue
		}
		text, err := hermescdp.Documents.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range docsLines(string(text)) {
			found++
			if err := line.parse(); err != nil {
				t.Errorf("%s: hermes-cdp %s: %v", page, strings.Join(line.words, " "), err)
			}
		}
	}
	if found < 100 {
		t.Errorf("%d command lines were found: those that are not are not checked", found)
	}
}

// parse takes the line as far as a run does before the command begins.
func (l docsLine) parse() error {
	root := (&app{}).rootCommand()
	root.InitDefaultCompletionCmd()
	cmd, rest, err := root.Find(l.words)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if l.mention && !cmd.HasSubCommands() {
		return nil
	}
	for _, check := range []func() error{
		func() error { return cmd.ValidateArgs(cmd.Flags().Args()) }, cmd.ValidateRequiredFlags, cmd.ValidateFlagGroups,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

var docsMention = regexp.MustCompile("`hermes-cdp ([^`]+)`")

// docsLines finds the commands of consoles, which have a $ before them, of scripts and indented blocks, and those that
// the text mentions.
func docsLines(page string) []docsLine {
	var lines []docsLine
	var prose strings.Builder
	fence, inside := "", false
	for line := range strings.Lines(strings.ReplaceAll(page, "\\\n", "")) {
		if mark, isFence := strings.CutPrefix(strings.TrimSpace(line), "```"); isFence {
			fence, inside = mark, !inside
			continue
		}
		command, isCommand := line, inside && fence == "sh"
		if inside && fence == "console" {
			command, isCommand = strings.CutPrefix(line, "$ ")
		} else if !inside {
			command, isCommand = strings.CutPrefix(line, "    ")
		}
		switch {
		case isCommand:
			lines = append(lines, shellLine(command)...)
		case !inside:
			prose.WriteString(line)
		}
	}
	for _, mention := range docsMention.FindAllStringSubmatch(prose.String(), -1) {
		for _, l := range shellLine("hermes-cdp " + mention[1]) {
			lines = append(lines, docsLine{l.words, true})
		}
	}
	return lines
}

var (
	shellWithin = regexp.MustCompile(`[$<]\(([^)]*)\)`)
	shellToken  = regexp.MustCompile(`#.*|[|&;<>]+|(?:'[^']*'|"[^"]*"|[^\s'"|&;<>])+`)
	shellQuotes = regexp.MustCompile(`'([^']*)'|"([^"]*)"`)
)

// shellLine finds the commands of this program in a line of a shell, those within $() and <(), and in its comment.
func shellLine(line string) []docsLine {
	var lines []docsLine
	for _, within := range shellWithin.FindAllStringSubmatch(line, -1) {
		lines = append(lines, shellLine(within[1])...)
	}
	var words []string
	end := func() {
		if len(words) > 0 && words[0] == "hermes-cdp" {
			lines = append(lines, docsLine{words: words[1:]})
		}
		words = nil
	}
	for _, token := range shellToken.FindAllString(shellWithin.ReplaceAllString(line, "within"), -1) {
		switch {
		case token[0] == '#':
			if _, other, found := strings.Cut(token, "hermes-cdp "); found {
				lines = append(lines, docsLine{strings.Fields(other), true})
			}
		case strings.ContainsAny(token[:1], "|&;<>"):
			end()
		default:
			words = append(words, shellQuotes.ReplaceAllString(token, "$1$2"))
		}
	}
	end()
	return lines
}

func TestCommandLinesAreFoundInPages(t *testing.T) {
	const page = "Text with `hermes-cdp plugin\nswap` and `plugin` in it.\n\n" +
		"    go install example/hermes-cdp@latest\n" +
		"    hermes-cdp eval \"confirm('a; b')\" --task 'x y' &  # or: hermes-cdp run --launch\n" +
		"    source <(hermes-cdp completion bash)\n\n" +
		"```console\n$ echo '{\"a\": 1}' | hermes-cdp plugin run . --event -\nhermes-cdp: an error that it prints\n" +
		"$ hermes-cdp token new \\\n  --name a >file && play \"$(hermes-cdp recordings path k)\"\n```\n" +
		"```yaml\nhermes-cdp: no command\n```\n"
	want := []docsLine{
		{[]string{"run", "--launch"}, true},
		{[]string{"eval", "confirm('a; b')", "--task", "x y"}, false},
		{[]string{"completion", "bash"}, false},
		{[]string{"plugin", "run", ".", "--event", "-"}, false},
		{[]string{"recordings", "path", "k"}, false},
		{[]string{"token", "new", "--name", "a"}, false},
		{[]string{"plugin", "swap"}, true},
	}
	got := docsLines(page)
	same := func(a, b docsLine) bool { return a.mention == b.mention && slices.Equal(a.words, b.words) }
	for _, line := range want {
		if !slices.ContainsFunc(got, func(l docsLine) bool { return same(l, line) }) {
			t.Errorf("%+v is not found", line)
		}
	}
	if len(got) != len(want) {
		t.Errorf("found %+v", got)
	}
}

func TestACommandLineThatIsNoneIsNoticed(t *testing.T) {
	for line, right := range map[string]bool{
		"plugin swap policy my.wasm": true, "eval 1 --timeout 1s": true, "tools": true, "completion bash": true, "browser click e5 --json": true,
		"plugin swop policy my.wasm": false, "eval 1 --timout 1s": false, "eval 1 --timeout soon": false, "plugin swap policy": false,
		"token new": false, "fly": false, "run --launch --connect localhost:9222": false, "browser wait-for --state nowhere": false,
	} {
		if err := (docsLine{words: strings.Fields(line)}).parse(); right != (err == nil) {
			t.Errorf("%s: %v", line, err)
		}
	}
	for line, right := range map[string]bool{"token new": true, "plugin swop": false, "token new --nam a": false} {
		if err := (docsLine{strings.Fields(line), true}).parse(); right != (err == nil) {
			t.Errorf("%s, in a text: %v", line, err)
		}
	}
}
