// Command book renders the documents as static HTML with a search, which any server, or a browser alone, can show.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/internal/book"
)

func main() {
	out := flag.String("out", "bin/docs", "the directory to write")
	flag.Parse()
	if err := run(".", *out); err != nil {
		fmt.Fprintln(os.Stderr, "book:", err)
		os.Exit(1)
	}
}

func run(repository, out string) error {
	files := os.DirFS(repository)
	b, err := book.Read(files)
	if err != nil {
		return err
	}
	if err := b.Check(files); err != nil {
		return err
	}
	rendered, err := b.Render()
	if err != nil {
		return err
	}
	for name, content := range rendered {
		at := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, content, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d pages: %s\n", len(b.Pages), filepath.Join(out, "index.html"))
	return nil
}
