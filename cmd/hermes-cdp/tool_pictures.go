package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// picture is one of a result: as a file, or in base64.
type picture struct {
	MIMEType string `json:"mime_type"`
	Path     string `json:"path,omitempty"`
	Data     string `json:"data,omitempty"`

	ours bool // this process wrote the file
}

// keepPictures gives the pictures of a result as they are wanted. The daemon's files are taken where it has kept them; else
// they are written, to the file that is wanted, or into a folder.
func keepPictures(r agent.Result, o callOptions, dir string) ([]picture, error) {
	list := make([]picture, len(r.Images))
	kept := keptPaths(r.Structured)
	for i, image := range r.Images {
		list[i] = picture{MIMEType: image.MIMEType}
		switch {
		case o.base64:
			list[i].Data = base64.StdEncoding.EncodeToString(image.Data)
			continue
		case o.output == "" && len(kept) == len(r.Images):
			list[i].Path = kept[i]
			continue
		}
		var err error
		if list[i].Path, err = writePicture(image, o.output, dir, i); err != nil {
			return nil, err
		}
		list[i].ours = true
	}
	return list, nil
}

// keptPaths are the files that a result names, in its order.
func keptPaths(value any) []string {
	switch value := value.(type) {
	case map[string]any:
		if path, ok := value["screenshot_path"].(string); ok {
			return []string{path}
		}
		for _, key := range []string{"results", "result"} { // of browser_interact
			if list := keptPaths(value[key]); list != nil {
				return list
			}
		}
	case []any:
		var list []string
		for _, member := range value {
			list = append(list, keptPaths(member)...)
		}
		return list
	}
	return nil
}

// writePicture writes the picture of a number, for its owner alone: it can show what nobody else may see.
func writePicture(image agent.Image, output, dir string, number int) (string, error) {
	if output == "" {
		return newPicture(image, dir)
	}
	if number > 0 {
		extension := filepath.Ext(output)
		output = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(output, extension), number+1, extension)
	}
	if err := os.WriteFile(output, image.Data, 0o600); err != nil {
		return "", fmt.Errorf("the picture: %w", err)
	}
	return output, nil
}

func newPicture(image agent.Image, dir string) (string, error) {
	if dir == "" {
		return "", usageError{errors.New("the result has a picture: say where it goes with --output FILE, or set browser.screenshot_dir")}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("the directory for pictures: %w", err)
	}
	// The daemon removes files of this name when they are old.
	file, err := os.CreateTemp(dir, "hermes-cdp-*"+extensionOf(image.MIMEType))
	if err != nil {
		return "", fmt.Errorf("the picture: %w", err)
	}
	_, err = file.Write(image.Data)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("the picture: %w", err)
	}
	return file.Name(), nil
}

func extensionOf(mime string) string {
	switch mime {
	case "image/png":
		return ".png"
	case "image/jpeg":
		return ".jpg"
	case "image/webp":
		return ".webp"
	case "image/gif":
		return ".gif"
	}
	return ".bin"
}
