module github.com/hermes-cdp/hermes-cdp

// 1.25 is the newest version that TinyGo 0.41 accepts for the guests that live in this module.
go 1.25.0

require (
	aead.dev/minisign v0.3.0 // signatures of modules
	github.com/aymanbagabas/go-udiff v0.3.1 // diffs of files before they are changed
	github.com/bufbuild/protocompile v0.14.1 // reads hermes.proto, for guests in other languages and for tests
	github.com/cenkalti/backoff/v5 v5.0.3 // retries of vision requests, with Retry-After
	github.com/chromedp/cdproto v0.159.1 // types of the protocol
	github.com/coder/websocket v1.8.15 // the connection to a browser at an address
	github.com/coreos/go-systemd/v22 v22.7.0 // the protocol of service managers: sockets, readiness, watchdog
	github.com/creack/pty v1.1.24 // tests: a terminal
	github.com/fsnotify/fsnotify v1.10.1 // when a module's file changes
	github.com/gabriel-vasile/mimetype v1.4.13 // what a file is by its content, for the hooks on files
	github.com/gdamore/tcell/v2 v2.13.10 // the screen of hermes-cdp tools and top
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // what cdproto encodes with
	github.com/joho/godotenv v1.5.1 // .env files
	github.com/knadh/koanf/providers/confmap v1.0.1 // the layers of koanf
	github.com/knadh/koanf/v2 v2.4.1 // layered configuration
	github.com/modelcontextprotocol/go-sdk v1.8.0 // MCP, as server and as client
	github.com/opencontainers/go-digest v1.0.0 // digests, as oras-go takes them
	github.com/opencontainers/image-spec v1.1.1 // manifests, as oras-go takes them
	github.com/pelletier/go-toml/v2 v2.4.3 // configurations of MCP clients in TOML
	github.com/prometheus/client_golang v1.23.2 // metrics, in the format of Prometheus
	github.com/prometheus/client_model v0.6.2 // what is gathered for the metrics
	github.com/rivo/uniseg v0.4.7 // the width of text on tcell's screen
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // configurations and arguments against the schemas of plugins
	github.com/schollz/progressbar/v3 v3.18.0 // how far long work is, in a terminal
	github.com/sigstore/protobuf-specs v0.5.0 // tests: bundles of an instance of Sigstore
	github.com/sigstore/sigstore-go v1.1.4 // signatures of modules that need no keys
	github.com/spf13/cobra v1.10.2 // the command line
	github.com/spf13/pflag v1.0.10 // its flags
	github.com/tailscale/hujson v0.0.0-20260302212456-ecc657c15afd // those in JSON with comments
	github.com/tetratelabs/wazero v1.12.0 // runs plugins
	github.com/yuin/goldmark v1.8.7 // the documents as HTML
	go.etcd.io/bbolt v1.5.0 // what plugins store on disk
	go.opentelemetry.io/otel v1.38.0 // attributes of spans, and where errors of their export go
	go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp v1.38.0 // sends spans
	go.opentelemetry.io/otel/sdk v1.38.0 // samples and collects them
	go.opentelemetry.io/otel/trace v1.38.0 // spans, in contexts
	go.opentelemetry.io/proto/otlp v1.7.1 // tests: a receiver of spans
	go.uber.org/goleak v1.3.0 // tests: goroutines that are left
	go.yaml.in/yaml/v3 v3.0.4 // the configuration file, with the line of each key
	golang.org/x/image v0.33.0 // decodes pictures and draws text, for the dialogs in recordings
	golang.org/x/net v0.49.0 // publicsuffix: which hosts are one site
	golang.org/x/sys v0.45.0 // locks, process groups and pidfds
	golang.org/x/term v0.39.0 // whether this is a terminal
	golang.org/x/text v0.33.0 // the printer that jsonschema's errors want
	google.golang.org/protobuf v1.36.12 // the descriptors of protocompile; in tests the reference that the codec is held against, and a receiver of spans
	oras.land/oras-go/v2 v2.6.2 // modules in registries
	pgregory.net/rapid v1.3.0 // tests: properties on random input
)

require (
	github.com/asaskevich/govalidator v0.0.0-20230301143203-a9d515a09cc2 // indirect
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/blang/semver v3.5.1+incompatible // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/cpuguy83/go-md2man/v2 v2.0.7 // indirect
	github.com/cyberphone/json-canonicalization v0.0.0-20241213102144-19d51d7fe467 // indirect
	github.com/digitorus/pkcs7 v0.0.0-20230818184609-3a137a874352 // indirect
	github.com/digitorus/timestamp v0.0.0-20231217203849-220c5c2851b7 // indirect
	github.com/gdamore/encoding v1.0.1 // indirect
	github.com/go-jose/go-jose/v4 v4.1.3 // indirect
	github.com/go-logr/logr v1.4.3 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	github.com/go-openapi/analysis v0.24.1 // indirect
	github.com/go-openapi/errors v0.22.4 // indirect
	github.com/go-openapi/jsonpointer v0.22.1 // indirect
	github.com/go-openapi/jsonreference v0.21.3 // indirect
	github.com/go-openapi/loads v0.23.2 // indirect
	github.com/go-openapi/runtime v0.29.2 // indirect
	github.com/go-openapi/spec v0.22.1 // indirect
	github.com/go-openapi/strfmt v0.25.0 // indirect
	github.com/go-openapi/swag v0.25.4 // indirect
	github.com/go-openapi/swag/cmdutils v0.25.4 // indirect
	github.com/go-openapi/swag/conv v0.25.4 // indirect
	github.com/go-openapi/swag/fileutils v0.25.4 // indirect
	github.com/go-openapi/swag/jsonname v0.25.4 // indirect
	github.com/go-openapi/swag/jsonutils v0.25.4 // indirect
	github.com/go-openapi/swag/loading v0.25.4 // indirect
	github.com/go-openapi/swag/mangling v0.25.4 // indirect
	github.com/go-openapi/swag/netutils v0.25.4 // indirect
	github.com/go-openapi/swag/stringutils v0.25.4 // indirect
	github.com/go-openapi/swag/typeutils v0.25.4 // indirect
	github.com/go-openapi/swag/yamlutils v0.25.4 // indirect
	github.com/go-openapi/validate v0.25.1 // indirect
	github.com/go-viper/mapstructure/v2 v2.4.0 // indirect
	github.com/google/certificate-transparency-go v1.3.2 // indirect
	github.com/google/go-containerregistry v0.20.7 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/grpc-ecosystem/grpc-gateway/v2 v2.27.3 // indirect
	github.com/in-toto/attestation v1.1.2 // indirect
	github.com/in-toto/in-toto-golang v0.9.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/jedisct1/go-minisign v0.0.0-20211028175153-1c139d1cc84b // indirect
	github.com/knadh/koanf/maps v0.1.2 // indirect
	github.com/letsencrypt/boulder v0.20251110.0 // indirect
	github.com/lucasb-eyer/go-colorful v1.3.0 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/mitchellh/copystructure v1.2.0 // indirect
	github.com/mitchellh/reflectwalk v1.0.2 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/oklog/ulid v1.3.1 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/prometheus/common v0.66.1 // indirect
	github.com/prometheus/procfs v0.17.0 // indirect
	github.com/russross/blackfriday/v2 v2.1.0 // indirect
	github.com/sassoftware/relic v7.2.1+incompatible // indirect
	github.com/secure-systems-lab/go-securesystemslib v0.9.1 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/shibumi/go-pathspec v1.3.0 // indirect
	github.com/sigstore/rekor v1.4.3 // indirect
	github.com/sigstore/rekor-tiles/v2 v2.0.1 // indirect
	github.com/sigstore/sigstore v1.10.0 // indirect
	github.com/sigstore/timestamp-authority/v2 v2.0.3 // indirect
	github.com/theupdateframework/go-tuf v0.7.0 // indirect
	github.com/theupdateframework/go-tuf/v2 v2.3.0 // indirect
	github.com/titanous/rocacheck v0.0.0-20171023193734-afe73141d399 // indirect
	github.com/transparency-dev/formats v0.0.0-20251017110053-404c0d5b696c // indirect
	github.com/transparency-dev/merkle v0.0.2 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	go.mongodb.org/mongo-driver v1.17.6 // indirect
	go.opentelemetry.io/auto/sdk v1.2.1 // indirect
	go.opentelemetry.io/otel/exporters/otlp/otlptrace v1.38.0 // indirect
	go.opentelemetry.io/otel/metric v1.38.0 // indirect
	go.yaml.in/yaml/v2 v2.4.2 // indirect
	golang.org/x/crypto v0.47.0 // indirect
	golang.org/x/mod v0.31.0 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	google.golang.org/genproto/googleapis/api v0.0.0-20250929231259-57b25ae835d4 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20251103181224-f26f9409b101 // indirect
	google.golang.org/grpc v1.76.0 // indirect
)
