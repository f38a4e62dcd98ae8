// Package browser is where a local browser comes from and how it ends: find an executable, install one, launch it with
// its own profile and process group, and leave nothing behind.
//
// A browser that is launched here speaks over a pair of pipes (--remote-debugging-pipe): no one else can reach it, and it
// quits by itself when the process that started it dies, even by SIGKILL, because its end of the pipe then closes.
package browser
