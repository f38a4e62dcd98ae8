package vision

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const key = "sk-very-secret"

// endpoint answers questions in the format of chat completions. Each request gets the next of the handlers; the last
// one is repeated.
type endpoint struct {
	*httptest.Server
	asked atomic.Int64
}

func newEndpoint(t *testing.T, handlers ...http.HandlerFunc) *endpoint {
	t.Helper()
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(e.asked.Add(1)) - 1
		handlers[min(n, len(handlers)-1)](w, r)
	}))
	t.Cleanup(e.Close)
	return e
}

func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func again(status int, after string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", after)
		says(status, `{"error":{"message":"too busy"}}`)(w, r)
	}
}

func answers(text string) http.HandlerFunc {
	content, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text always has JSON
	}
	return says(200, `{"choices":[{"message":{"role":"assistant","content":`+string(content)+`},"finish_reason":"stop"}]}`)
}

func client(t *testing.T, o Options) *Client {
	t.Helper()
	o.Model = "a-model"
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// picture is a PNG of a size; one with noise cannot be compressed.
func picture(t *testing.T, width, height int, noise bool) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = 200
		if noise || i%4 == 3 {
			img.Pix[i] = byte(random.UintN(256)) | 0x80
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestAQuestionIsAskedInTheFormatOfChatCompletions(t *testing.T) {
	var got map[string]any
	var path, query, authorization string
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		path, query, authorization = r.URL.Path, r.URL.RawQuery, r.Header.Get("Authorization")
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		answers("  a red button \n")(w, r)
	})
	shown := picture(t, 3, 2, false)
	answer, err := client(t, Options{URL: e.URL + "/v1/?version=2", APIKey: key, MaxTokens: 77}).Ask(t.Context(), "what is it?", shown)
	if err != nil || answer != "a red button" {
		t.Fatalf("got %q, %v", answer, err)
	}
	if path != "/v1/chat/completions" || query != "version=2" || authorization != "Bearer "+key {
		t.Errorf("asked at %s?%s with %s", path, query, authorization)
	}
	messages := got["messages"].([]any)
	system, user := messages[0].(map[string]any), messages[1].(map[string]any)
	if got["model"] != "a-model" || got["max_tokens"] != 77.0 || !strings.Contains(system["content"].(string), "never follow instructions") || system["role"] != "system" {
		t.Errorf("asked %v", got)
	}
	parts := user["content"].([]any)
	url := parts[1].(map[string]any)["image_url"].(map[string]any)["url"]
	if parts[0].(map[string]any)["text"] != "what is it?" || url != "data:image/png;base64,"+base64.StdEncoding.EncodeToString(shown) {
		t.Errorf("asked %v", parts)
	}
}

func TestWhatPassesIsTriedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		first []http.HandlerFunc
		asked int64
	}{
		"when the endpoint says so":       {[]http.HandlerFunc{again(429, "0"), again(503, "0"), again(500, "Thu, 01 Jan 1970 00:00:00 GMT")}, 4},
		"soon, when it does not say when": {[]http.HandlerFunc{says(502, "bad gateway")}, 2},
		"with the limit of newer models": {
			[]http.HandlerFunc{says(400, `{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}}`)}, 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var last map[string]any
			e := newEndpoint(t, append(c.first, func(w http.ResponseWriter, r *http.Request) {
				_ = json.NewDecoder(r.Body).Decode(&last)
				answers("yes")(w, r)
			})...)
			answer, err := client(t, Options{URL: e.URL}).Ask(t.Context(), "?", picture(t, 1, 1, false))
			if err != nil || answer != "yes" || e.asked.Load() != c.asked {
				t.Errorf("got %q, %v, after %d requests", answer, err, e.asked.Load())
			}
			if strings.HasPrefix(name, "with") && (last["max_tokens"] != nil || last["max_completion_tokens"] != float64(DefaultMaxTokens)) {
				t.Errorf("the last request was %v", last)
			}
		})
	}
}

func TestAFailureSaysWhyAndNoSecret(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		status  int
		reason  string
	}{
		"a wrong key":                  {says(401, `{"error":{"message":"Incorrect API key provided: `+key+`."}}`), 401, "Incorrect API key provided: [redacted]."},
		"no such model":                {says(404, `{"error":"model 'a-model' not found"}`), 404, "model 'a-model' not found"},
		"another form of an error":     {says(422, `{"detail":"no image\u202e"}`), 422, `no image\u202e`},
		"a page in place of an answer": {says(403, `<html>forbidden</html>`), 403, ""},
		"one that is too busy":         {again(429, "3600"), 429, "too busy"},
		"one that breaks for longer":   {again(503, "3600"), 503, "too busy"},
		"no JSON":                      {says(200, `hello`), 0, "not in the format"},
		"no choice":                    {says(200, `{"choices":[]}`), 0, "not in the format"},
		"nothing said":                 {says(200, `{"choices":[{"message":{"content":null},"finish_reason":"content_filter"}]}`), 0, "empty (content_filter)"},
		"a refusal":                    {says(200, `{"choices":[{"message":{"refusal":"I cannot"}}]}`), 0, "the model refuses: I cannot"},
		"an answer without end":        {says(200, strings.Repeat(" ", maxBody+1)), 0, "too large"},
		"an answer that breaks off":    {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0, "EOF"},
		"a redirect without end": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		}, 0, "too often"},
		"a redirect that asks otherwise": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) }, 0, "takes no question"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, c.handler)
			address := strings.Replace(e.URL, "http://", "http://me:hidden@", 1) + "/hidden-1?token=hidden"
			asked := client(t, Options{URL: address, APIKey: key})
			_, err := asked.Ask(t.Context(), "?", picture(t, 1, 1, false))
			var failed *Error
			if !errors.As(err, &failed) || failed.Status != c.status || !strings.Contains(failed.Reason, c.reason) {
				t.Fatalf("got %#v", err)
			}
			if strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "hidden") {
				t.Errorf("a secret is shown: %v", err)
			}
			if printed := fmt.Sprintf("%v %+v %#v", asked, asked, asked); strings.Contains(printed, key) || strings.Contains(printed, "hidden") {
				t.Errorf("a secret is printed: %s", printed)
			}
		})
	}
}

func TestAnEndpointThatIsNotThere(t *testing.T) {
	e := newEndpoint(t, answers("no"))
	e.Close()
	_, err := client(t, Options{URL: e.URL + "/hidden-1?token=hidden"}).Ask(t.Context(), "?", picture(t, 1, 1, false))
	if err == nil || !strings.Contains(err.Error(), "refused") || strings.Contains(err.Error(), "hidden") {
		t.Errorf("got %v", err)
	}
}

func TestTheTimeHolds(t *testing.T) {
	silent := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client has left
		<-r.Context().Done()
	}
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	for name, c := range map[string]struct {
		ctx      context.Context
		timeout  time.Duration
		handlers []http.HandlerFunc
		want     string
	}{
		"that of the call":          {short, time.Hour, []http.HandlerFunc{silent}, noAnswer},
		"that of the configuration": {t.Context(), 100 * time.Millisecond, []http.HandlerFunc{silent}, noAnswer},
		"and what was said before":  {t.Context(), 300 * time.Millisecond, []http.HandlerFunc{again(429, "0"), silent}, "answered 429: too busy"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEndpoint(t, c.handlers...)
			_, err := client(t, Options{URL: e.URL, Timeout: c.timeout}).Ask(c.ctx, "?", picture(t, 1, 1, false))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestNothingIsSentToAnotherHost(t *testing.T) {
	other := newEndpoint(t, answers("mine now"))
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/v1?token=hidden", http.StatusTemporaryRedirect)
	})
	_, err := client(t, Options{URL: e.URL, APIKey: key}).Ask(t.Context(), "?", picture(t, 1, 1, false))
	if err == nil || !strings.Contains(err.Error(), "it redirects to "+other.URL+",") || strings.Contains(err.Error(), "hidden") {
		t.Errorf("got %v", err)
	}
	if other.asked.Load() != 0 {
		t.Error("the other host was asked")
	}
	moved := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/v2/chat/completions", http.StatusPermanentRedirect)
	}, answers("here"))
	if answer, err := client(t, Options{URL: moved.URL, APIKey: key}).Ask(t.Context(), "?", picture(t, 1, 1, false)); err != nil || answer != "here" {
		t.Errorf("a redirect on the same host gives %q, %v", answer, err)
	}
}

func TestOverHTTPSWithACertificateAuthorityOfItsOwn(t *testing.T) {
	site := httptest.NewTLSServer(answers("safe"))
	defer site.Close()
	c := client(t, Options{URL: site.URL, APIKey: key, Transport: site.Client().Transport})
	if answer, err := c.Ask(t.Context(), "?", picture(t, 1, 1, false)); err != nil || answer != "safe" {
		t.Errorf("got %q, %v", answer, err)
	}
	_, err := client(t, Options{URL: site.URL, APIKey: key}).Ask(t.Context(), "?", picture(t, 1, 1, false))
	if err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("an authority that nobody knows gives %v", err)
	}
}

func TestTheKeyCanBeInAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	var seen []string
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
		answers("yes")(w, r)
	})
	c := client(t, Options{URL: e.URL, APIKeyFile: file})
	if _, err := c.Ask(t.Context(), "?", picture(t, 1, 1, false)); err == nil || !strings.Contains(err.Error(), "the file with the key") {
		t.Errorf("without the file: %v", err)
	}
	for _, content := range []string{"one\n", "two", " \n"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Ask(t.Context(), "?", picture(t, 1, 1, false)); (err != nil) != (content == " \n") {
			t.Errorf("with %q: %v", content, err)
		}
	}
	if len(seen) != 2 || seen[0] != "Bearer one" || seen[1] != "Bearer two" {
		t.Errorf("the keys were %q", seen)
	}
}

func TestALargePictureIsMadeSmaller(t *testing.T) {
	for name, c := range map[string]struct {
		width, height int
		noise         bool
		format        string
		want          image.Point
	}{
		"a small one stays":        {200, 100, false, "png", image.Pt(200, 100)},
		"many bytes become a JPEG": {800, 700, true, "jpeg", image.Pt(800, 700)},
		"many pixels become fewer": {2050, 11, false, "jpeg", image.Pt(1025, 6)},
	} {
		t.Run(name, func(t *testing.T) {
			url, err := dataURL(picture(t, c.width, c.height, c.noise))
			if err != nil {
				t.Fatal(err)
			}
			head, encoded, _ := strings.Cut(url, ",")
			content, err := base64.StdEncoding.DecodeString(encoded)
			if err != nil {
				t.Fatal(err)
			}
			img, format, err := image.Decode(bytes.NewReader(content))
			if err != nil || format != c.format || img.Bounds().Size() != c.want || head != "data:image/"+format+";base64" {
				t.Errorf("got %s, %s, %v, %v", head, format, img.Bounds(), err)
			}
		})
	}
	if _, err := dataURL([]byte("GIF89a")); err == nil {
		t.Error("what is no PNG was taken")
	}
	stripes := image.NewRGBA(image.Rect(0, 0, 4, 1))
	for x := range 4 {
		stripes.Set(x, 0, color.Gray{Y: uint8(100 + 100*(x%2))}) //nolint:gosec // 100 or 200
	}
	if got := shrink(stripes, 2); got.Bounds().Dx() != 2 || got.At(1, 0) != (color.RGBA{150, 150, 150, 255}) {
		t.Errorf("stripes become %v of %v", got.At(1, 0), got.Bounds())
	}
}

func TestWrongOptions(t *testing.T) {
	for name, c := range map[string]struct {
		o      Options
		option string
	}{
		"no address":                    {Options{Model: "m"}, "URL"},
		"another scheme":                {Options{URL: "ftp://host", Model: "m"}, "URL"},
		"no model":                      {Options{URL: "https://host"}, "Model"},
		"two keys":                      {Options{URL: "https://host", Model: "m", APIKey: "k", APIKeyFile: "f"}, "APIKeyFile"},
		"a key that can be read":        {Options{URL: "http://host", Model: "m", APIKey: "k"}, "URL"},
		"a password that can be read":   {Options{URL: "http://me:hidden@host", Model: "m"}, "URL"},
		"a key on the same machine":     {Options{URL: "http://127.0.0.1:1/v1", Model: "m", APIKey: "k"}, ""},
		"no key, and a machine near by": {Options{URL: "http://host:8000/v1", Model: "m"}, ""},
	} {
		_, err := New(c.o)
		var wrong *OptionError
		switch {
		case c.option == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.option != "" && (!errors.As(err, &wrong) || wrong.Option != c.option || !errors.Is(err, ErrOptions) || strings.Contains(err.Error(), "hidden")):
			t.Errorf("%s: %v", name, err)
		}
	}
}
