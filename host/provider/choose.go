package provider

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The names of the providers in the configuration.
const (
	NameLocal       = "local" // a browser that the host starts
	NameBrowserbase = "browserbase"
	NameBrowserUse  = "browser-use"
	NameFirecrawl   = "firecrawl"
	NameCDP         = "cdp" // a [Service]
)

// The environment variables with the keys and settings of the services.
const (
	envBrowserbaseKey     = "BROWSERBASE_API_KEY"
	envBrowserbaseProject = "BROWSERBASE_PROJECT_ID"
	envBrowserbaseURL     = "BROWSERBASE_BASE_URL"
	envBrowserbaseProxies = "BROWSERBASE_PROXIES"
	envBrowserbaseStealth = "BROWSERBASE_ADVANCED_STEALTH"
	envBrowserbaseKeep    = "BROWSERBASE_KEEP_ALIVE"
	envBrowserbaseTimeout = "BROWSERBASE_SESSION_TIMEOUT" // milliseconds
	envBrowserUseKey      = "BROWSER_USE_API_KEY"
	envBrowserUseURL      = "BROWSER_USE_BASE_URL"
	envFirecrawlKey       = "FIRECRAWL_API_KEY"
	envFirecrawlURL       = "FIRECRAWL_API_URL"
	envFirecrawlTTL       = "FIRECRAWL_BROWSER_TTL" // seconds
)

// Choose returns the provider of a name, with its key and settings from variables. Without a name it is the first that
// has a key, of Browserbase and Browser Use; nil if neither has, and for [NameLocal]. A provider that was asked for and
// cannot be used is [Unusable]. service describes [NameCDP]; nil: nothing does.
func Choose(name string, getenv func(string) string, service *Service) Provider {
	if name == "" {
		switch {
		case getenv(envBrowserbaseKey) != "":
			name = NameBrowserbase
		case getenv(envBrowserUseKey) != "":
			name = NameBrowserUse
		default:
			name = NameLocal
		}
	}
	if name == NameLocal {
		return nil
	}
	p, err := configured(name, getenv, service)
	if err != nil {
		var known *Error
		if !errors.As(err, &known) {
			err = &Error{Provider: name, Op: opCreate, Reason: strings.TrimPrefix(err.Error(), name+": ")}
		}
		return Unusable(name, err)
	}
	return p
}

// Configured returns the providers that can be used, with the arguments of [Choose].
func Configured(getenv func(string) string, service *Service) (list []Provider) {
	for _, name := range Names()[1:] {
		if p, err := configured(name, getenv, service); err == nil {
			list = append(list, p)
		}
	}
	return list
}

func configured(name string, getenv func(string) string, service *Service) (Provider, error) {
	read := &settings{getenv: getenv}
	switch name {
	case NameBrowserbase:
		o := BrowserbaseOptions{
			Key: read.key(envBrowserbaseKey), ProjectID: getenv(envBrowserbaseProject), BaseURL: getenv(envBrowserbaseURL),
			NoProxies: !read.flag(envBrowserbaseProxies, true), AdvancedStealth: read.flag(envBrowserbaseStealth, false),
			NoKeepAlive: !read.flag(envBrowserbaseKeep, true), Timeout: read.time(envBrowserbaseTimeout, time.Millisecond),
		}
		if read.err != nil {
			return nil, read.err
		}
		return NewBrowserbase(o)
	case NameBrowserUse:
		o := BrowserUseOptions{Key: read.key(envBrowserUseKey), BaseURL: getenv(envBrowserUseURL)}
		if read.err != nil {
			return nil, read.err
		}
		return NewBrowserUse(o)
	case NameFirecrawl:
		o := FirecrawlOptions{Key: read.key(envFirecrawlKey), BaseURL: getenv(envFirecrawlURL), TTL: read.time(envFirecrawlTTL, time.Second)}
		if read.err != nil {
			return nil, read.err
		}
		return NewFirecrawl(o)
	case NameCDP:
		if service == nil {
			return nil, errors.New("nothing describes the service: set provider.url and provider.release_url")
		}
		return NewCDP(*service)
	}
	return nil, fmt.Errorf("there is no provider of this name; the names are %s", strings.Join(Names(), ", "))
}

// Names lists the names that [Choose] takes.
func Names() []string {
	return []string{NameLocal, NameBrowserbase, NameBrowserUse, NameFirecrawl, NameCDP}
}

// settings reads variables, and remembers the first that is wrong. Its errors have no value of any.
type settings struct {
	getenv func(string) string
	err    error
}

func (s *settings) wrong(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

func (s *settings) key(name string) string {
	key := s.getenv(name)
	if key == "" {
		s.wrong("the key is missing: set %s in the environment, or in the file .env beside the configuration", name)
	}
	if strings.ContainsAny(key, "\r\n\x00") {
		s.wrong("%s is no key: it has the end of a line in it", name)
	}
	return key
}

func (s *settings) flag(name string, otherwise bool) bool {
	text := s.getenv(name)
	if text == "" {
		return otherwise
	}
	on, err := strconv.ParseBool(strings.ToLower(text))
	if err != nil {
		s.wrong("%s must be true or false", name)
	}
	return on
}

func (s *settings) time(name string, unit time.Duration) time.Duration {
	text := s.getenv(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n <= 0 {
		s.wrong("%s must be a whole number of %s, greater than 0", name, map[time.Duration]string{time.Millisecond: "milliseconds", time.Second: "seconds"}[unit])
		return 0
	}
	return time.Duration(n) * unit
}
