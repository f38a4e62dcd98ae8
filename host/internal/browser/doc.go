// Package browser starts and ends local browsers: it finds or installs an executable, launches it with a profile and
// process group of its own, and leaves nothing behind.
//
// A browser launched here communicates over a pair of pipes (--remote-debugging-pipe). No one else can reach it, and it
// quits by itself when the process that started it dies, even by SIGKILL, because its end of the pipe then closes.
package browser
