// Package recording keeps what a tab showed as video files: WebM with VP8, made without an encoder, as the browser's own
// lossy WebP pictures are VP8 key frames already.
//
// A file is whole after each frame: each is a cluster of its own with a known size (RFC 9559), written at once, so that what
// a killed process leaves plays up to its last frame. Ending a file adds what lets players seek.
package recording
