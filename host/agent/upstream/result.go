package upstream

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

const (
	// maxText limits the text of a result that is passed on, in bytes.
	maxText = 65_536
	// maxStructured limits the structured content, in bytes of JSON. More is left out, as cut JSON would be invalid.
	maxStructured = 256 << 10
	// maxImages limits the number of pictures, and maxImageBytes their total size.
	maxImages     = 10
	maxImageBytes = 10 << 20
)

// result is what agents get of a server's answer. All of it is marked as untrusted.
func result(server string, secrets hider, r *mcp.CallToolResult) agent.Result {
	text, images := contents(r.Content, secrets)
	object := map[string]any{"success": !r.IsError}
	structured, note := structuredContent(r.StructuredContent, secrets)
	fields := []string{"text"}
	switch {
	case r.IsError:
		object["error"], object["kind"], object["code"] = text, string(fault.ErrServerTool), string(fault.ErrServerTool)
		fields = []string{"error"}
	case structured == nil: // otherwise the text is mostly a copy of it
		object["text"] = text
	default:
		fields = nil
	}
	if structured != nil {
		object[resultKey] = structured
		fields = append(fields, resultKey)
	}
	object["untrusted"] = agent.Untrusted{Origin: agent.ServerSource(server), Fields: fields}
	lines := []string{"the MCP server " + server + " says:"}
	if text != "" {
		lines = append(lines, text)
	} else if structured != nil {
		encoded, _ := json.Marshal(structured) // it was decoded from JSON
		lines = append(lines, cut(string(encoded)))
	} else if len(images) == 0 {
		lines = []string{"the MCP server " + server + " says nothing"}
	}
	if note != "" {
		lines = append(lines, note)
	}
	return agent.Result{Text: strings.Join(lines, "\n"), Structured: object, Images: images, IsError: r.IsError}
}

// contents returns the texts and pictures of a result, and notes what cannot be passed on.
func contents(list []mcp.Content, secrets hider) (text string, images []agent.Image) {
	var parts []string
	size := 0
	for _, content := range list {
		switch c := content.(type) {
		case *mcp.TextContent:
			parts = append(parts, readableText(c.Text))
		case *mcp.ImageContent:
			kind := line(c.MIMEType)
			if !strings.HasPrefix(kind, "image/") || len(images) == maxImages || size+len(c.Data) > maxImageBytes {
				parts = append(parts, fmt.Sprintf("[an image, %s, %d bytes: not passed on; it is not an image, or there are too many]", kind, len(c.Data)))
				continue
			}
			size += len(c.Data)
			images = append(images, agent.Image{MIMEType: kind, Data: c.Data})
		case *mcp.AudioContent:
			parts = append(parts, fmt.Sprintf("[audio, %s, %d bytes: not passed on]", line(c.MIMEType), len(c.Data)))
		case *mcp.ResourceLink:
			parts = append(parts, strings.TrimRight(fmt.Sprintf("[a link to the resource %s %s] %s", line(c.URI), line(c.Name), line(c.Description)), " "))
		case *mcp.EmbeddedResource:
			parts = append(parts, resource(c.Resource))
		}
	}
	return cut(secrets.text(strings.Join(parts, "\n"))), images
}

func resource(r *mcp.ResourceContents) string {
	switch {
	case r == nil:
		return "[a resource without content]"
	case r.Text == "" && len(r.Blob) > 0:
		return fmt.Sprintf("[the resource %s, %s, %d bytes: not passed on]", line(r.URI), line(r.MIMEType), len(r.Blob))
	}
	return "[the resource " + line(r.URI) + "]\n" + readableText(r.Text)
}

// structuredContent returns the value to pass on; the note says why there is none.
func structuredContent(value any, secrets hider) (structured any, note string) {
	if value == nil {
		return nil, ""
	}
	structured = readable(value, secrets)
	encoded, err := json.Marshal(structured)
	switch {
	case err != nil:
		return nil, "[its structured content cannot be encoded as JSON: not passed on]"
	case len(encoded) > maxStructured:
		return nil, fmt.Sprintf("[its structured content has %d bytes, more than %d: not passed on; ask for less]", len(encoded), maxStructured)
	}
	return structured, ""
}

func line(text string) string { return pagetext.Line(pagetext.Shorten(text, maxReason)) }

func cut(text string) string {
	if short := pagetext.Shorten(text, maxText); short != text {
		return fmt.Sprintf("%s…\n[cut: these are the first %d of %d bytes]", short, len(short), len(text))
	}
	return text
}
