package watch

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many symbolic links a path may go through, as on Linux.
const maxLinks = 40

// trail lists the names that determine what a path refers to: each symbolic link on the way, and the file at the end or
// the first part that does not exist. Directories that are not links are left out. As long as none of these names is
// replaced, written or created, the path has the same content.
func trail(path string) []string {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	at, rest := split(path)
	var names []string
	for links := 0; len(rest) > 0; {
		name := filepath.Join(at, rest[0]) // which also resolves the dots in a link's target
		rest = rest[1:]
		info, err := os.Lstat(name)
		switch {
		case err != nil:
			return append(names, name)
		case info.Mode()&fs.ModeSymlink == 0:
			at = name
			continue
		}
		names = append(names, name)
		target, err := os.Readlink(name)
		if links++; err != nil || links > maxLinks {
			return names
		}
		if filepath.IsAbs(target) {
			var first []string
			at, first = split(target)
			rest = append(first, rest...)
			continue
		}
		rest = append(parts(target), rest...)
	}
	return append(names, at)
}

// split splits an absolute path into its root and the parts below it.
func split(path string) (root string, below []string) {
	volume := filepath.VolumeName(path)
	return volume + string(filepath.Separator), parts(path[len(volume):])
}

func parts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
}
