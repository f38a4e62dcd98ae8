// Package config is the configuration of hermes-cdp: its schema, the layers it is read from, and where each value came
// from.
//
// [Load] reads these layers; each is stronger than the ones before it:
//
//  1. the defaults (see docs/configuration.md, which is generated from [Config]);
//  2. the YAML file: [Sources.File], else $XDG_CONFIG_HOME/hermes-cdp/config.yaml, else
//     ~/.config/hermes-cdp/config.yaml;
//  3. the file .env beside it, with the same variables as the environment;
//  4. the environment: BROWSER_CDP_URL for browser.cdp_url, then HERMES_CDP_ followed by the key in capitals with every
//     dot and dash as an underscore, so HERMES_CDP_BROWSER_CDP_URL is stronger than BROWSER_CDP_URL;
//  5. the command's own flags ([Sources.Flags]), such as --log-level;
//  6. key=value pairs ([Sources.Set]), in their order.
//
// Maps are merged key by key, lists are replaced. A key without a value (null) is as good as absent. Every fault of
// every layer is reported at once in one [Error]. Signed addresses and secrets are redacted wherever this package
// prints.
package config
