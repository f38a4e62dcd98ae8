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
		setList(root, key, lists[key])
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

func setList(root *yaml.Node, key string, list []string) {
	at := -1
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == key {
			at = i
		}
	}
	if len(list) == 0 {
		if at >= 0 {
			root.Content = slices.Delete(root.Content, at, at+2)
		}
		return
	}
	value := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, text := range list {
		item := &yaml.Node{}
		item.SetString(text)
		value.Content = append(value.Content, item)
	}
	if at < 0 {
		name := &yaml.Node{}
		name.SetString(key)
		root.Content = append(root.Content, name, value)
		return
	}
	value.LineComment, value.FootComment = root.Content[at+1].LineComment, root.Content[at+1].FootComment
	root.Content[at+1] = value
}

// replaceFile replaces what a symbolic link leads to, and leaves the link.
func replaceFile(file string, data []byte) error {
	target, err := filepath.EvalSymlinks(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return wholefile.Edit(cmp.Or(target, file), data, 0o600, 0o700)
}
