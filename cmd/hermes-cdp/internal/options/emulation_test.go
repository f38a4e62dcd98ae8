package options

import (
	"reflect"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestCredentialsAreReadFromTheirVariables(t *testing.T) {
	variables := map[string]string{"ME": "me", "PASSWORD": "p@ss:word/"}
	getenv := func(name string) string { return variables[name] }
	got := credentials([]string{"https://${ME}:${PASSWORD}@a.example", "http://${MISSING}:${PASSWORD}@[::1]:8080", "https://me:password@b.example"}, getenv)
	want := map[string]host.Credentials{"https://a.example": {User: "me", Password: "p@ss:word/"}, "http://[::1]:8080": {Password: "p@ss:word/"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("there are %d, want %d, or they differ", len(got), len(want))
	}
	if credentials(nil, getenv) != nil {
		t.Error("there are some without any")
	}
}

func TestWhatIsEmulatedFromTheStart(t *testing.T) {
	getenv := func(name string) string { return map[string]string{"TOKEN": "t-1"}[name] }
	got := emulation(config.Emulation{
		Width: 800, Locale: "de-DE", Geolocation: "-52.5 13", Permissions: []string{"https://a.example geolocation"}, Network: "fast 3g",
		Headers: map[string]string{"X-Token": "Bearer ${TOKEN}", "X-Price": "$5 ${MISSING}"},
	}, getenv)
	speed, _ := host.NetworkNamed("fast 3g")
	want := host.Emulation{
		Width: 800, Locale: "de-DE", Geolocation: &host.Geolocation{Latitude: -52.5, Longitude: 13, Accuracy: 1}, Network: &speed,
		Permissions: []host.Permission{{Origin: "https://a.example", Name: "geolocation", State: "granted"}},
		Headers:     host.Headers{"X-Token": "Bearer t-1", "X-Price": "$5 ${MISSING}"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("it emulates %+v with the headers %q", got, map[string]string(got.Headers))
	}
	if got := emulation(config.Emulation{Network: "offline"}, getenv); !got.Offline || got.Network != nil {
		t.Errorf("offline is %+v", got)
	}
	if got := emulation(config.Emulation{}, getenv); !reflect.ValueOf(got).IsZero() {
		t.Errorf("nothing is %+v", got)
	}
}
