package config

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"github.com/hermes-cdp/hermes-cdp/internal/misspelt"
)

const (
	// EnvPrefix begins every variable that sets a key.
	EnvPrefix = "HERMES_CDP_"
	// EnvCDPURL and EnvInactivity set browser.cdp_url and browser.inactivity_s without the prefix; the variables with the
	// prefix are stronger.
	EnvCDPURL     = "BROWSER_CDP_URL"
	EnvInactivity = "BROWSER_INACTIVITY_TIMEOUT"
	// EnvToken holds the token of an agent, for commands that act as that agent. It is no key: a configuration is written
	// down.
	EnvToken = EnvPrefix + "TOKEN"
)

// unprefixed are the keys of the variables that other systems have, too.
var unprefixed = map[string]string{EnvCDPURL: "browser.cdp_url", EnvInactivity: "browser.inactivity_s"}

// Variable is the environment variable that sets a key of the schema, whose path has the name of a plugin or server.
func Variable(path string) string {
	return EnvPrefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(path))
}

// environMap reads "NAME=value"; the last of two equal names counts, as in os/exec.
func environMap(environ []string) map[string]string {
	env := make(map[string]string, len(environ))
	for _, item := range environ {
		if name, value, ok := strings.Cut(item, "="); ok {
			env[name] = value
		}
	}
	return env
}

// readDotEnv reads the file .env in dir, if there is one.
func (r *reader) readDotEnv(dir string) (path string, env map[string]string) {
	path = filepath.Join(dir, ".env")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	origin := Origin{Layer: LayerDotEnv, File: path}
	if err != nil {
		r.fail(ProblemUnreadable, nil, origin, "cannot read the file: %v", reasonOf(err))
		return path, nil
	}
	env, err = godotenv.UnmarshalBytes(data)
	if err != nil {
		// godotenv's error quotes the line, which may hold a secret.
		origin.Line = badLine(data)
		r.fail(ProblemSyntax, nil, origin, "line %d is not NAME=value", origin.Line)
		return path, nil
	}
	return path, env
}

// badLine finds the line after the longest part of a .env file that is valid.
func badLine(data []byte) int {
	lines := strings.SplitAfter(string(data), "\n")
	for n := len(lines) - 1; n > 0; n-- {
		if _, err := godotenv.Unmarshal(strings.Join(lines[:n], "")); err == nil {
			return n + 1
		}
	}
	return 1
}

// readEnviron reads the variables that set keys. An empty variable is as good as absent.
func (r *reader) readEnviron(env map[string]string, origin Origin) (layer map[string]any, warnings []Warning) {
	layer = map[string]any{}
	table := r.variables()
	for _, name := range slices.Sorted(maps.Keys(env)) {
		key := unprefixed[name]
		if env[name] == "" || !strings.HasPrefix(name, EnvPrefix) && key == "" {
			continue
		}
		if key != "" && env[Variable(key)] != "" || name == EnvToken && origin.Layer == LayerEnvironment {
			continue
		}
		origin.Name = name
		path := r.pathOf(name, table)
		if path == nil {
			warnings = append(warnings, unknownVariable(name, table, origin))
			continue
		}
		r.readPair(layer, path, env[name], origin)
	}
	return layer, warnings
}

// variables maps every variable to its path, for the plugins and servers that are known.
func (r *reader) variables() map[string][]string {
	table := map[string][]string{}
	for name, key := range unprefixed {
		table[name] = strings.Split(key, ".")
	}
	for _, path := range r.schema.concrete(r.names) {
		table[Variable(path)] = strings.Split(path, ".")
	}
	return table
}

// pathOf finds the path of a variable. A whole match wins; otherwise the longest map of free keys that the name begins
// with, whose key the rest is, in lower case (but as it is for the variables of an MCP server). So with plugins a and
// a-config, HERMES_CDP_PLUGINS_A_CONFIG_PATH is plugins.a-config.path, not the key path in plugins.a.config.
func (r *reader) pathOf(name string, table map[string][]string) []string {
	if path := table[name]; path != nil {
		return path
	}
	longest, format := "", ""
	for candidate, path := range table {
		_, key := r.schema.lookup(path)
		if key.Type == TypeMap && strings.HasPrefix(name, candidate+"_") && len(name) > len(candidate)+1 && len(candidate) > len(longest) {
			longest, format = candidate, key.format
		}
	}
	if longest == "" {
		return nil
	}
	rest := name[len(longest)+1:]
	if format != "env" {
		rest = strings.ToLower(rest)
	}
	return append(slices.Clone(table[longest]), rest)
}

func unknownVariable(name string, table map[string][]string, origin Origin) Warning {
	suggestion := nearest(name, slices.Sorted(maps.Keys(table)))
	return Warning{Origin: origin, Suggestion: suggestion, Text: "the variable sets no key" + misspelt.DidYouMean(suggestion)}
}
