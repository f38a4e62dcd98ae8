package config

import "strconv"

// Layer is where a value was given.
type Layer string

// The layers, least strong first.
const (
	LayerDefault     Layer = "default"
	LayerFile        Layer = "file"
	LayerDotEnv      Layer = "dotenv"
	LayerEnvironment Layer = "environment"
	LayerFlag        Layer = "flag"
	LayerSet         Layer = "set"
)

// Origin says where a value was given.
type Origin struct {
	Layer Layer `json:"layer"`
	// File is the path of the file for [LayerFile] and [LayerDotEnv].
	File string `json:"file,omitempty"`
	// Line is the line in the YAML file, from 1; 0 if it is not known.
	Line int `json:"line,omitempty"`
	// Name is the variable for [LayerDotEnv] and [LayerEnvironment], the flag for [LayerFlag].
	Name string `json:"name,omitempty"`
}

// String is for people.
func (o Origin) String() string {
	switch o.Layer {
	case LayerFile:
		if o.Line > 0 {
			return o.File + ":" + strconv.Itoa(o.Line)
		}
		return o.File
	case LayerDotEnv:
		if o.Name == "" {
			return o.File
		}
		return o.Name + " in " + o.File
	case LayerEnvironment, LayerFlag:
		return o.Name
	case LayerSet:
		return "--set"
	default:
		return string(o.Layer)
	}
}
