package build

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Languages returns the examples in C and AssemblyScript. asc is the absolute path of a directory with the node_modules
// that make assemblyscript installs.
func Languages(repository, asc string) Set {
	golden := func(Module) string { return LanguageGoldenTable }
	return Set{repository, LanguageRecordPath, "make examples", LanguageModules(), golden, languages{repository, asc}}
}

type languages struct{ repository, assemblyScript string }

// LanguageModules lists the examples in languages other than Go.
func LanguageModules() []Module {
	return []Module{
		{"assemblyscript-policy", "plugins/examples/assemblyscript-policy", "plugins/examples/dist/assemblyscript-policy.wasm"},
		{"c-policy", "plugins/examples/c-policy", "plugins/examples/dist/c-policy.wasm"},
	}
}

// LanguageRecordPath is the [Record] of LanguageModules.
const LanguageRecordPath = "plugins/examples/BUILD.json"

// LanguageGoldenTable is the golden table of all of them: they are the same policy.
const LanguageGoldenTable = "plugins/examples/testdata/word-policy.json"

// compiler is the command that writes a module to out. It runs in the root of the repository.
func (l languages) compiler(ctx context.Context, m Module, out string) *exec.Cmd {
	if m.Name == "c-policy" {
		return exec.CommandContext(ctx, "clang-19", "--target=wasm32", "-std=c17", "-O2", "-ffreestanding", "-fno-builtin",
			"-mbulk-memory", "-nostdlib", "-Wall", "-Wextra", "-Werror", "-Wl,--no-entry", "-Wl,--strip-all",
			"-Wl,-z,stack-size=16384", "-o", out, m.Source+"/policy.c")
	}
	return exec.CommandContext(ctx, "node", filepath.Join(l.assemblyScript, "node_modules/assemblyscript/bin/asc.js"),
		m.Source+"/policy.ts", "--config", m.Source+"/asconfig.json", "--outFile", out)
}

func (l languages) compile(ctx context.Context, m Module) ([]byte, error) {
	return compile(l.repository, m, func(out string) *exec.Cmd { return l.compiler(ctx, m, out) })
}

func (l languages) tools(ctx context.Context) (map[string]string, error) {
	tools := map[string]string{"clang-19": debianVersion(ctx, "clang-19"), "lld-19": debianVersion(ctx, "lld-19")}
	for _, name := range []string{"assemblyscript", "binaryen"} {
		text, err := os.ReadFile(filepath.Join(l.assemblyScript, "node_modules", name, "package.json"))
		if err != nil {
			return nil, fmt.Errorf("ask AssemblyScript for its version (make assemblyscript installs it): %w", err)
		}
		var content struct {
			Version string `json:"version"`
		}
		if err := json.Unmarshal(text, &content); err != nil {
			return nil, fmt.Errorf("version of %s: %w", name, err)
		}
		tools[name] = content.Version
	}
	return tools, nil
}
