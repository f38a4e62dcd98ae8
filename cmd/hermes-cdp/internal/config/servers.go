package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// headerName is a token of RFC 9110, section 5.6.2.
var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// onlyReference is a value of env or headers that only refers to a variable, so that it can be shown.
var onlyReference = regexp.MustCompile(`^((Bearer|Basic|Token|bearer|basic|token) )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)

// isSecretMap tells whether a key is a map of texts that are not shown.
func (k Key) isSecretMap() bool { return k.format == "env" || k.format == "headers" }

func validateSecrets(key Key, values map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := validateSecret(key, name, values[name]); err != nil {
			return err
		}
	}
	return nil
}

// validateSecret checks a variable or a header. Its errors name it, and never its value.
func validateSecret(key Key, name string, value any) error {
	text, isText := value.(string)
	switch {
	case key.format == "env" && (name == "" || strings.ContainsAny(name, "=\x00")):
		return fmt.Errorf("%q in it is not the name of a variable", name)
	case key.format == "headers" && !headerName.MatchString(name):
		return fmt.Errorf("%q in it is not the name of a header", name)
	case !isText:
		return fmt.Errorf("%s must be text: quote it", name)
	case hasNUL(text), key.format == "headers" && strings.ContainsAny(text, "\r\n"):
		return fmt.Errorf("%s must not contain a NUL byte, nor a header the end of a line", name)
	}
	return nil
}

// checkServer finds what is wrong between the keys of an MCP server, which can come from different layers.
func (r *reader) checkServer(name string, s MCPServer) {
	at := "mcp_servers." + name
	wrong := func(key, format string, args ...any) {
		origin := r.originBelow(at + "." + key)
		if origin == (Origin{}) {
			origin = r.originBelow(at)
		}
		r.fail(ProblemBadValue, []string{"mcp_servers", name, key}, origin, format, args...)
	}
	switch {
	case s.Command == "" && s.URL == "":
		wrong("command", "%s has neither a command, which starts the server, nor the url of one that runs", at)
	case s.Command != "" && s.URL != "":
		wrong("url", "%s.url is %q, but %s.command is given too: a server is started or is at an address; set the other to an empty text", at, RedactAddress(s.URL), at)
	case s.URL != "" && (len(s.Args) > 0 || len(s.Env) > 0 || s.CWD != ""):
		wrong("url", "%s has a url, and args, env or cwd, which are for a command", at)
	case s.Command != "" && len(s.Headers) > 0:
		wrong("headers", "%s has a command, and headers, which are for a url; give a program its secrets by env", at)
	}
}
