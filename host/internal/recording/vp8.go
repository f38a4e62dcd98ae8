package recording

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrPicture says that a picture cannot become a frame of a video; the text says why.
var ErrPicture = errors.New("the picture cannot be recorded")

// Frame is one VP8 key frame (RFC 6386, section 9.1).
type Frame struct {
	// Data is the frame as it is in a video.
	Data []byte
	// Width and Height are in pixels.
	Width, Height int
}

const (
	riffHeader  = 12 // "RIFF", the size of what follows, "WEBP"
	chunkHeader = 8  // a name of four letters, the size of the content
	keyHeader   = 10 // of a key frame: its tag, the start code, width and height
	sizeMask    = 1<<14 - 1
)

// FromWebP extracts the key frame from a lossy WebP picture (RFC 9649), simple or extended. Its Data is a slice of the
// picture, not a copy. What else an extended picture has (transparency, colour profile, metadata) is ignored: a page on
// the screen is opaque. Errors are ErrPicture.
func FromWebP(picture []byte) (Frame, error) {
	if len(picture) < riffHeader || string(picture[:4]) != "RIFF" || string(picture[8:12]) != "WEBP" {
		return Frame{}, fmt.Errorf("%w: it is not WebP", ErrPicture)
	}
	// Ignore what follows the container.
	if size := uint64(binary.LittleEndian.Uint32(picture[4:])); size < uint64(len(picture)-chunkHeader) {
		picture = picture[:chunkHeader+max(size, riffHeader-chunkHeader)]
	}
	for rest := picture[riffHeader:]; len(rest) >= chunkHeader; {
		name, size := string(rest[:4]), uint64(binary.LittleEndian.Uint32(rest[4:]))
		content := rest[chunkHeader:]
		if size > uint64(len(content)) {
			return Frame{}, fmt.Errorf("%w: it is truncated", ErrPicture)
		}
		switch name {
		case "VP8 ":
			return keyFrame(content[:size])
		case "VP8L":
			return Frame{}, fmt.Errorf("%w: it is lossless WebP, which a video cannot have", ErrPicture)
		case "ANIM", "ANMF":
			return Frame{}, fmt.Errorf("%w: it is an animation", ErrPicture)
		}
		rest = content[min(size+size%2, uint64(len(content))):] // contents are padded to an even size
	}
	return Frame{}, fmt.Errorf("%w: it has no image data", ErrPicture)
}

// keyFrame reads the header of a VP8 frame.
func keyFrame(data []byte) (Frame, error) {
	if len(data) < keyHeader || data[3] != 0x9d || data[4] != 0x01 || data[5] != 0x2a {
		return Frame{}, fmt.Errorf("%w: its image data is not a VP8 key frame", ErrPicture)
	}
	tag := uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16
	if inter, shown := tag&1 != 0, tag&(1<<4) != 0; inter || !shown {
		return Frame{}, fmt.Errorf("%w: its image data is not a VP8 key frame that is shown", ErrPicture)
	}
	if first := tag >> 5; uint64(first) > uint64(len(data)-keyHeader) {
		return Frame{}, fmt.Errorf("%w: its image data is truncated", ErrPicture)
	}
	// The top two bits of each ask the player to scale.
	width := int(binary.LittleEndian.Uint16(data[6:])) & sizeMask
	height := int(binary.LittleEndian.Uint16(data[8:])) & sizeMask
	if width == 0 || height == 0 {
		return Frame{}, fmt.Errorf("%w: it has %d x %d pixels", ErrPicture, width, height)
	}
	return Frame{Data: data, Width: width, Height: height}, nil
}
