package toolresult

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Picture is one of a result: as a file, or in base64.
type Picture struct {
	MIMEType string `json:"mime_type"`
	Path     string `json:"path,omitempty"`
	Data     string `json:"data,omitempty"`

	ours bool // this process wrote the file
}

// Place is where pictures go.
type Place struct {
	// Output is the file for the first; of several, the others have a number. Empty: files of new names in Dir.
	Output, Dir string
	// Base64 writes no file.
	Base64 bool
}

// ErrNoPlace says that there is no place for a picture.
var ErrNoPlace error = &fault.Error{Code: fault.ErrUsage, Err: errors.New("the result has a picture: say where it goes with --output FILE, or set browser.screenshot_dir")}

// Pictures gives the pictures of a result as they are wanted. The daemon's files are taken where it has kept them; else
// they are written.
func Pictures(r agent.Result, to Place) ([]Picture, error) {
	list := make([]Picture, len(r.Images))
	kept := keptPaths(r.Structured)
	for i, image := range r.Images {
		list[i] = Picture{MIMEType: image.MIMEType}
		switch {
		case to.Base64:
			list[i].Data = base64.StdEncoding.EncodeToString(image.Data)
			continue
		case to.Output == "" && len(kept) == len(r.Images):
			list[i].Path = kept[i]
			continue
		}
		var err error
		if list[i].Path, err = writePicture(image, to.Output, to.Dir, i); err != nil {
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
		return "", ErrNoPlace
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
