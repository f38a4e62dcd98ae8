package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// key returns a VP8 key frame of a size, with a content that no decoder can read.
func key(width, height int, content string) []byte {
	tag := uint32(1<<4 | len(content)<<5)
	out := []byte{byte(tag), byte(tag >> 8), byte(tag >> 16), 0x9d, 0x01, 0x2a}
	out = binary.LittleEndian.AppendUint16(out, uint16(width|1<<14)) // with a scale, which is not part of the size
	out = binary.LittleEndian.AppendUint16(out, uint16(height))
	return append(out, content...)
}

func chunk(name string, content []byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(name), uint32(len(content)))
	out = append(out, content...)
	return append(out, make([]byte, len(content)%2)...)
}

func webp(chunks ...[]byte) []byte {
	content := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(content))), content...)
}

func changed(data []byte, at int, to byte) []byte {
	out := bytes.Clone(data)
	out[at] = to
	return out
}

func TestTheFrameOfAPicture(t *testing.T) {
	frame := key(640, 480, "odd")
	extended := chunk("VP8X", make([]byte, 10))
	for name, c := range map[string]struct {
		picture []byte
		fails   string // empty: the frame is found
	}{
		"a simple picture":                       {picture: webp(chunk("VP8 ", frame))},
		"one with transparency":                  {picture: webp(extended, chunk("ALPH", []byte("abc")), chunk("VP8 ", frame))},
		"one with a profile and something after": {picture: webp(extended, chunk("ICCP", []byte("abcd")), chunk("VP8 ", frame), chunk("EXIF", nil))},
		"one with an unknown chunk":              {picture: webp(chunk("what", []byte("a")), chunk("VP8 ", frame))},
		"one whose padding is missing":           {picture: bytes.TrimSuffix(webp(chunk("VP8 ", frame)), []byte{0})},
		"bytes after the picture":                {picture: append(webp(chunk("VP8 ", frame)), "more"...)},
		"nothing":                                {picture: nil, fails: "not WebP"},
		"a JPEG":                                 {picture: []byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00"), fails: "not WebP"},
		"another RIFF":                           {picture: []byte("RIFF\x04\x00\x00\x00WAVE"), fails: "not WebP"},
		"a lossless picture":                     {picture: webp(chunk("VP8L", []byte{0x2f})), fails: "lossless"},
		"an animation":                           {picture: webp(extended, chunk("ANIM", nil)), fails: "animation"},
		"no image data":                          {picture: webp(extended), fails: "no image data"},
		"a truncated picture":                    {picture: webp(chunk("VP8 ", frame))[:24], fails: "truncated"},
		"a chunk beyond the container":           {picture: changed(webp(chunk("VP8 ", frame)), 4, 14), fails: "truncated"},
		"a container of no size":                 {picture: changed(webp(chunk("VP8 ", frame)), 4, 0), fails: "no image data"},
		"a frame that depends on others":         {picture: webp(chunk("VP8 ", changed(frame, 0, frame[0]|1))), fails: "not a VP8 key frame"},
		"a frame that is not shown":              {picture: webp(chunk("VP8 ", changed(frame, 0, frame[0]&^(1<<4)))), fails: "not a VP8 key frame"},
		"no start code":                          {picture: webp(chunk("VP8 ", changed(frame, 3, 0))), fails: "not a VP8 key frame"},
		"a truncated frame":                      {picture: webp(chunk("VP8 ", frame[:11])), fails: "truncated"},
		"no pixels":                              {picture: webp(chunk("VP8 ", key(0, 480, ""))), fails: "0 x 480"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := FromWebP(c.picture)
			if c.fails != "" {
				if !errors.Is(err, ErrPicture) || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("got %v, want one that says %s", err, c.fails)
				}
				return
			}
			if err != nil || got.Width != 640 || got.Height != 480 || !bytes.Equal(got.Data, frame) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func FuzzFromWebP(f *testing.F) {
	frame := key(16, 16, "content")
	f.Add(webp(chunk("VP8 ", frame)))
	f.Add(webp(chunk("VP8X", make([]byte, 10)), chunk("ALPH", []byte("abc")), chunk("VP8 ", frame)))
	f.Add([]byte("RIFF\xff\xff\xff\xffWEBPVP8 \xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, picture []byte) {
		got, err := FromWebP(picture)
		switch {
		case err != nil && !errors.Is(err, ErrPicture):
			t.Errorf("an error of another kind: %v", err)
		case err == nil && (got.Width <= 0 || got.Width > sizeMask || got.Height <= 0 || got.Height > sizeMask || !bytes.Contains(picture, got.Data)):
			t.Errorf("got %+v", got)
		}
	})
}
