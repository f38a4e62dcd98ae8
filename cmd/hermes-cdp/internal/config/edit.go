package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

// SetLists writes lists of texts into a configuration file under their keys, of the top level, and leaves the rest of
// it as it is, comments included. An empty list removes its key. A file that is not there is made, for its owner alone.
func SetLists(file string, lists map[string][]string) error {
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the configuration file: %w", err)
	}
	edited, err := setLists(data, lists)
	if err != nil {
		return fmt.Errorf("the configuration file %s: %w", file, err)
	}
	if err := replaceFile(file, edited); err != nil {
		return fmt.Errorf("the configuration file: %w", err)
	}
	return nil
}

// FileFor is the file in which keys can be set: [Sources.File] or the default. The error says why that is not possible,
// such as that a stronger layer has a key, so that what is written would change nothing.
func (r *Report) FileFor(sources Sources, keys ...string) (string, error) {
	for _, v := range r.Values {
		if slices.Contains(keys, v.Key) && v.Origin.Layer != LayerDefault && v.Origin.Layer != LayerFile {
			return "", fmt.Errorf("%s is set by %s, which is stronger than the file; change it there", v.Key, v.Origin)
		}
	}
	if file := cmp.Or(sources.File, defaultFile(r.env)); file != "" {
		return file, nil
	}
	return "", errors.New("there is no home directory for a configuration file; name one with --config")
}

func setLists(data []byte, lists map[string][]string) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	if len(document.Content) == 0 || isNull(document.Content[0]) { // empty, or comments alone
		document = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}, HeadComment: document.HeadComment}
	}
	root := resolve(document.Content[0])
	if root.Kind != yaml.MappingNode {
		return nil, errors.New("it is no map of keys")
	}
	for _, key := range slices.Sorted(maps.Keys(lists)) {
		if err := setList(root, key, lists[key]); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

// setList sets a list. A key of two levels, whose first is a map of names, has a dot between them.
func setList(root *yaml.Node, key string, list []string) error {
	if outer, name, nested := strings.Cut(key, "."); nested {
		at := find(root, outer)
		if at < 0 {
			root.Content = append(root.Content, text(outer), &yaml.Node{Kind: yaml.MappingNode})
			at = len(root.Content) - 2
		}
		if isNull(root.Content[at+1]) {
			root.Content[at+1] = &yaml.Node{Kind: yaml.MappingNode}
		}
		below := resolve(root.Content[at+1])
		if below.Kind != yaml.MappingNode {
			return fmt.Errorf("%s is no map of names", outer)
		}
		root, key = below, name
	}
	at := find(root, key)
	if len(list) == 0 {
		if at >= 0 {
			root.Content = slices.Delete(root.Content, at, at+2)
		}
		return nil
	}
	value := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, item := range list {
		value.Content = append(value.Content, text(item))
	}
	if at < 0 {
		root.Content = append(root.Content, text(key), value)
		return nil
	}
	value.LineComment, value.FootComment = root.Content[at+1].LineComment, root.Content[at+1].FootComment
	root.Content[at+1] = value
	return nil
}

// find returns where a key of a map is; -1: nowhere.
func find(root *yaml.Node, key string) int {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == key {
			return i
		}
	}
	return -1
}

func text(value string) *yaml.Node {
	node := &yaml.Node{}
	node.SetString(value)
	return node
}

// replaceFile replaces what a symbolic link leads to, and leaves the link.
func replaceFile(file string, data []byte) error {
	target, err := filepath.EvalSymlinks(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return wholefile.Edit(cmp.Or(target, file), data, 0o600, 0o700)
}
