package record

import (
	"encoding/base64"
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/screencast"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
)

func TestAPictureThatCannotBeRecordedIsStillAcknowledged(t *testing.T) {
	jpeg := base64.StdEncoding.EncodeToString([]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00"))
	_, number, err := decodeFrame(screencast.Picture{Params: []byte(`{"data": "` + jpeg + `", "sessionId": 7}`)})
	if !errors.Is(err, recording.ErrPicture) || number != 7 {
		t.Errorf("got the number %d, %v", number, err)
	}
	for _, params := range [][]byte{[]byte("{"), make([]byte, maxPicture+1)} {
		if _, _, err := decodeFrame(screencast.Picture{Params: params}); err == nil {
			t.Errorf("%d bytes are taken for a picture", len(params))
		}
	}
}
