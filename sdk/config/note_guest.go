//go:build tinygo.wasm || wasip1

package config

// A module records nothing.

func noteString(string, string)                  {}
func noteWord(string, string, []string)          {}
func noteBool(string, bool)                      {}
func noteInt(string, int64, int64, int64)        {}
func noteSeconds(string, int64, int64)           {}
func noteStrings(string)                         {}
func noteObjects(string, *Reader, func(*Reader)) {}
