package config

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readFile reads the YAML file. A missing file is a problem only if it was asked for. An empty one says nothing, not
// even {}.
func (r *reader) readFile(path string, mustExist bool) (layer map[string]any, found, empty bool) {
	origin := Origin{Layer: LayerFile, File: path}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !mustExist {
		return nil, false, false
	}
	if err != nil {
		r.fail(ProblemUnreadable, nil, origin, "cannot read the configuration file: %v", reasonOf(err))
		return nil, false, false
	}
	node, err := parseYAML(data)
	if err != nil {
		r.fail(ProblemSyntax, nil, origin, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
		return nil, true, false
	}
	layer = map[string]any{}
	if node != nil {
		r.readRoot(layer, node, source{origin: origin, dir: filepath.Dir(path)})
	}
	return layer, true, node == nil || isNull(resolve(node))
}

func (r *reader) readRoot(layer map[string]any, node *yaml.Node, src source) {
	node = resolve(node)
	if isNull(node) {
		return
	}
	if node.Kind != yaml.MappingNode {
		src.origin.Line = node.Line
		r.fail(ProblemWrongType, nil, src.origin, "the file must be a map of keys, such as browser: or plugins:")
		return
	}
	r.readSection(layer, nil, node, src)
}

// parseYAML returns the only document, or nil if there is none.
func parseYAML(data []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, errors.New("the file holds more than one YAML document")
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return document.Content[0], nil
}

// reasonOf is an error of a file without the path, which the origin names already.
func reasonOf(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
