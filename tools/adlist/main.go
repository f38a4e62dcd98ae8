// Command adlist reduces third-party-web (https://github.com/patrickhulce/third-party-web), a list of what pages load
// from others, by purpose, to a size for a plugin: a sorted table of hashes. Run it at the root of the repository:
// go run ./tools/adlist (-check compares instead of writing).
package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// The package, by its address in npm's registry and the hash that the registry has for it.
const (
	address   = "https://registry.npmjs.org/third-party-web/-/third-party-web-0.30.0.tgz"
	integrity = "p+PfyL5U0ediGzvwPzMSdD9MnC8rHW6nWJJVLIQvqN7RsSqfaZ+7n4c9GILqH36EYR0eXB9CzAeCRnKFr/9uJg=="
	entities  = "package/dist/entities-nostats.json"
	table     = "plugins/examples/ad-requests/domains.bin"
	maxBytes  = 32 << 20
)

// categories are those that the plugin can block, in the order of its own list.
var categories = []string{"ad", "analytics", "marketing", "social", "tag-manager", "customer-success"}

func main() {
	check := flag.Bool("check", false, "compare the committed table with the list instead of writing it")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "adlist:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	archive, err := download()
	if err != nil {
		return err
	}
	list, err := read(archive)
	if err != nil {
		return err
	}
	reduced, err := reduce(list)
	if err != nil {
		return err
	}
	if !check {
		fmt.Printf("%d domains, %d bytes\n", len(reduced)/recordBytes, len(reduced))
		return os.WriteFile(table, reduced, 0o644)
	}
	committed, err := os.ReadFile(table)
	if err == nil && !bytes.Equal(committed, reduced) {
		err = errors.New(table + " is not what the list gives; run go run ./tools/adlist")
	}
	return err
}

// download gets the package, and verifies that it is the one that was reviewed.
func download() ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", address, response.Status)
	}
	archive, err := io.ReadAll(io.LimitReader(response.Body, maxBytes))
	if err != nil {
		return nil, err
	}
	if sum := sha512.Sum512(archive); base64.StdEncoding.EncodeToString(sum[:]) != integrity {
		return nil, fmt.Errorf("%s is not the package whose hash is written here", address)
	}
	return archive, nil
}

// entity is a company's product, with what it is for and the domains that pages load it from.
type entity struct {
	Category string   `json:"category"`
	Domains  []string `json:"domains"`
}

func read(archive []byte) (list []entity, err error) {
	zipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	for files := tar.NewReader(zipped); ; {
		file, err := files.Next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entities, err)
		}
		if file.Name == entities {
			return list, json.NewDecoder(io.LimitReader(files, maxBytes)).Decode(&list)
		}
	}
}

// A record is the hash of a domain, with the highest byte first, and the index of its category.
const (
	hashBytes   = 6
	recordBytes = hashBytes + 1
)

type record struct {
	hash     uint64
	category byte
}

// reduce writes the records of the domains in ascending order. *.example.com and example.com are the same here: a
// domain is listed with all that is below it.
func reduce(list []entity) (out []byte, err error) {
	var records []record
	domains := map[uint64]string{}
	for _, e := range list {
		category := slices.Index(categories, e.Category)
		if category < 0 {
			continue
		}
		for _, name := range e.Domains {
			name = strings.TrimPrefix(name, "*.")
			h := hash(name)
			if other, ok := domains[h]; ok {
				if other != name {
					return nil, fmt.Errorf("%s and %s have the same hash; keep more bytes of it", name, other)
				}
				continue
			}
			domains[h] = name
			records = append(records, record{h, byte(category)})
		}
	}
	slices.SortFunc(records, func(a, b record) int { return cmp.Compare(a.hash, b.hash) })
	for _, r := range records {
		for shift := 8 * (hashBytes - 1); shift >= 0; shift -= 8 {
			out = append(out, byte(r.hash>>shift))
		}
		out = append(out, r.category)
	}
	return out, nil
}

// hash is 64-bit FNV-1a folded to 48 bits. The plugin has the same function.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return (h>>48 ^ h) & (1<<48 - 1)
}
