package cdp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// versionServer answers /json/version with the given WebSocket URL and records the requests.
func versionServer(t *testing.T, secure bool, endpoint string) (host string, client *http.Client, asked *http.Request) {
	asked = new(http.Request)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = *r
		if !strings.HasSuffix(r.URL.Path, "/json/version") {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `{"Browser":"Chrome/156","webSocketDebuggerUrl":%q}`, endpoint)
	})
	server := httptest.NewUnstartedServer(handler)
	if secure {
		server.StartTLS()
		client = server.Client()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), client, asked
}

func TestResolve(t *testing.T) {
	const endpoint = "ws://localhost:1234/devtools/browser/ID"
	for _, tc := range []struct {
		name, address, endpoint string
		secure                  bool
		want, asked             string // HOST stands for the server; asked is empty if there is no request
	}{
		{name: "ws is returned unchanged", address: "ws://h/x?token=t", want: "ws://h/x?token=t"},
		{name: "wss is returned unchanged", address: " wss://h?token=t ", want: "wss://h?token=t"},
		{name: "host and port", address: "HOST", endpoint: endpoint,
			want: "ws://HOST/devtools/browser/ID", asked: "/json/version"},
		{name: "http", address: "http://HOST", endpoint: endpoint,
			want: "ws://HOST/devtools/browser/ID", asked: "/json/version"},
		{name: "http with a slash", address: "http://HOST/", endpoint: endpoint,
			want: "ws://HOST/devtools/browser/ID", asked: "/json/version"},
		{name: "the discovery URL itself", address: "http://HOST/json/version/", endpoint: endpoint,
			want: "ws://HOST/devtools/browser/ID", asked: "/json/version"},
		{name: "https becomes wss", address: "https://HOST", endpoint: endpoint, secure: true,
			want: "wss://HOST/devtools/browser/ID", asked: "/json/version"},
		{name: "the query is kept", address: "http://HOST?token=a%2Fb&x", endpoint: endpoint,
			want: "ws://HOST/devtools/browser/ID?token=a%2Fb&x", asked: "/json/version?token=a%2Fb&x"},
		{name: "a query of the response is joined", address: "HOST?token=t", endpoint: endpoint + "?token=t&session=s",
			want: "ws://HOST/devtools/browser/ID?token=t&session=s", asked: "/json/version?token=t"},
		{name: "both queries are kept", address: "HOST?token=t", endpoint: endpoint + "?session=s",
			want: "ws://HOST/devtools/browser/ID?session=s&token=t", asked: "/json/version?token=t"},
		{name: "a path prefix is kept", address: "http://HOST/chrome/", endpoint: endpoint,
			want: "ws://HOST/chrome/devtools/browser/ID", asked: "/chrome/json/version"},
		{name: "a prefix that the response has is not doubled", address: "http://HOST/chrome", endpoint: "ws://x/chrome/devtools/browser/ID",
			want: "ws://HOST/chrome/devtools/browser/ID", asked: "/chrome/json/version"},
		{name: "user information is kept", address: "http://me:pw@HOST", endpoint: endpoint,
			want: "ws://me:pw@HOST/devtools/browser/ID", asked: "/json/version"},
		{name: "a WebSocket URL with an http scheme", address: "https://h/devtools/browser/ID?token=t",
			want: "wss://h/devtools/browser/ID?token=t"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			host, client, asked := versionServer(t, tc.secure, tc.endpoint)
			got, err := Resolve(t.Context(), strings.ReplaceAll(tc.address, "HOST", host), client)
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.ReplaceAll(tc.want, "HOST", host); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if asked.RequestURI != tc.asked {
				t.Errorf("asked for %q, want %q", asked.RequestURI, tc.asked)
			}
			if _, password, _ := asked.BasicAuth(); strings.Contains(tc.address, "pw@") && password != "pw" {
				t.Error("the request carried no user information")
			}
		})
	}
}

func TestResolveAndDialErrorsNameTheStepAndNoSecret(t *testing.T) {
	var status int
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "https://elsewhere.example/?again="+r.URL.Query().Get("token"))
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	dead := httptest.NewServer(nil)
	dead.Close()

	for _, tc := range []struct {
		name, base string
		status     int
		body       string
		want       string
	}{
		{"refused by key", server.URL, 401, "SECRET", "401 (Unauthorized); check the key"},
		{"nothing there", server.URL, 404, "", "404 (Not Found); the URL needs the full path"},
		{"a strange host name", server.URL, 500, "Host header", "use the IP address"},
		{"a redirect", server.URL, 302, "", "redirects are not followed"},
		{"no JSON", server.URL, 200, "<html>SECRET", "not JSON"},
		{"JSON without the URL", server.URL, 200, `{"x":"SECRET"}`, "no webSocketDebuggerUrl"},
		{"an unreadable URL in the response", server.URL, 200, `{"webSocketDebuggerUrl":"ws://SECRET:SECRET"}`, "unreadable webSocketDebuggerUrl"},
		{"nobody listens", dead.URL, 0, "", "connection refused"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, body = tc.status, tc.body
			for _, secretive := range []string{"?token=SECRET", "/SECRET", "/x?SECRET"} {
				_, err := Resolve(t.Context(), tc.base+secretive, nil)
				checkAddressError(t, err, tc.want, tc.status)
			}
		})
		if tc.status == 200 {
			continue
		}
		t.Run(tc.name+", as a WebSocket", func(t *testing.T) {
			status, body = tc.status, tc.body
			base := "ws" + strings.TrimPrefix(tc.base, "http")
			for _, secretive := range []string{"?token=SECRET", "/SECRET", "/x?SECRET"} {
				_, err := Dial(t.Context(), base+secretive, Options{})
				checkAddressError(t, err, tc.want, tc.status)
			}
		})
	}
	for _, address := range []string{"ftp://h/SECRET", "http://h:SECRET", "http://", "ws://h:1\x00SECRET"} {
		if _, err := Resolve(t.Context(), address, nil); address[0] != 'w' {
			checkAddressError(t, err, "", 0)
		}
		_, err := Dial(t.Context(), address, Options{})
		checkAddressError(t, err, "", 0)
	}
}

func checkAddressError(t *testing.T, err error, want string, status int) {
	t.Helper()
	var failed *EndpointError
	if !errors.As(err, &failed) {
		t.Fatalf("got %v, want an *AddressError", err)
	}
	if status != 200 && failed.Status != status {
		t.Errorf("the status is %d, want %d", failed.Status, status)
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("%q does not say %q", err, want)
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if strings.Contains(e.Error(), "SECRET") {
			t.Errorf("%q (%T) shows the secret", e, e)
		}
	}
}

func TestResolveEndsWithItsContext(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer server.Close()
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Resolve(ctx, server.URL, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
