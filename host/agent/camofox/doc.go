// Package camofox serves browser_* tools by the REST API of a Camofox server, whose Firefox is not reached by CDP: what
// needs CDP, such as dialogs, raw commands and frames of other processes, does not work there.
//
// https://github.com/jo-inc/camofox-browser
package camofox
