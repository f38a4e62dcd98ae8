package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// What is denied unless the operator gives lists of his own: programs, and what starts them.
var (
	programTypes = []string{
		"application/vnd.microsoft.portable-executable", "application/x-elf", "application/x-executable", "application/x-sharedlib",
		"application/x-object", "application/x-mach-binary", "application/x-ms-installer", "application/x-ms-shortcut", "application/jar",
		"application/vnd.android.package-archive",
	}
	programNames = []string{
		"*.exe", "*.msi", "*.bat", "*.cmd", "*.com", "*.scr", "*.ps1", "*.vbs", "*.lnk", "*.sh", "*.dmg", "*.pkg", "*.deb", "*.rpm", "*.jar",
		"*.apk",
	}
)

// settings is the configuration of the module.
type settings struct {
	types, denyTypes, denyNames, origins []string
	maxMB                                int64
}

// readSettings rejects what it does not understand; the error names the key.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{
		types: r.Strings("types"), denyTypes: programTypes, denyNames: programNames, origins: r.Strings("origins"),
		maxMB: r.Int("max_mb", 0, 0, 1_000_000),
	}
	if own := r.Strings("deny_types"); r.Has("deny_types") {
		s.denyTypes = own
	}
	if own := r.Strings("deny_names"); r.Has("deny_names") {
		s.denyNames = own
	}
	for i, pattern := range s.denyNames {
		if strings.ToLower(pattern) != pattern {
			r.RefuseItem("deny_names", i, "small letters: names are compared in small letters")
		}
	}
	return s, r.Err()
}
