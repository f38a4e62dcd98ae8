package httpsonly

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestNothingIsSentWithoutTLS(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
	defer plain.Close()
	server := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusTemporaryRedirect))
	defer server.Close()
	for _, address := range []string{server.URL, plain.URL + "?token=HUNTER2"} {
		response, err := Client(server.Client()).Get(address)
		if err == nil {
			response.Body.Close()
		}
		if err = WithoutURL(err); !errors.Is(err, errScheme) || strings.Contains(err.Error(), "HUNTER2") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
