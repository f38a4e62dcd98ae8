package bindings

import (
	"fmt"
	"strings"
)

func cName(name string) string { return "hermes_" + snake(name) }

func cType(f field) string {
	switch f.kind {
	case text, bytes:
		return "hermes_bytes"
	case flag:
		return "bool"
	case number:
		return "uint32_t"
	case wide:
		return "uint64_t"
	case signed:
		return "int64_t"
	case object:
		return "hermes_struct"
	}
	return cName(f.of)
}

func (w *writer) c(s schema) {
	for _, e := range s.enums {
		w.comment("//", e.comment)
		w.line("typedef enum {")
		for _, v := range e.values {
			w.line("  HERMES_%s = %d,", v.name, v.number)
		}
		w.line("} %s;\n", cName(e.name))
	}
	for _, m := range s.messages {
		w.comment("//", m.comment)
		w.line("typedef struct {")
		for _, f := range m.fields {
			switch {
			case f.list:
				w.line("  %s *%s;\n  size_t %s_size;", cType(f), f.name, f.name)
			case f.optional:
				w.line("  bool has_%s;\n  %s %s;", f.name, cType(f), f.name)
			default:
				w.line("  %s %s;", cType(f), f.name)
			}
		}
		w.line("} %s;\n", cName(m.name))
		if m.event {
			w.cRead(m)
		}
		if m.verdict {
			w.cWrite(m)
		}
	}
	w.line("// These make the exports out of your functions: HERMES_ON_DIALOG(decide), where decide returns HERMES_DECIDED after it has\n" +
		"// filled the verdict, HERMES_ABSTAIN, or what hermes_fail returns.")
	for _, h := range s.hooks {
		w.cHook(h)
	}
	w.line("#endif")
}

func (w *writer) cRead(m message) {
	w.line("static bool hermes_read_%s(hermes_bytes rest, %s *m) {\n  hermes_field f;\n  while (rest.size > 0) {\n    if (!hermes_next(&rest, &f)) return false;",
		snake(m.name), cName(m.name))
	for _, f := range m.fields {
		at, wire, body := "m->"+f.name, "CHUNK", ""
		grow := ""
		if f.list {
			grow = fmt.Sprintf("%s = hermes_grow(%s, %s_size, sizeof *%s);\n      ", at, at, at, at)
			at = fmt.Sprintf("%s[%s_size++]", at, at)
		}
		switch f.kind {
		case text:
			body = fmt.Sprintf("if (!hermes_text(&f, &%s)) return false;", at)
		case bytes:
			body = at + " = f.chunk;"
		case flag:
			wire, body = "VARINT", at+" = f.value != 0;"
		case number:
			wire, body = "VARINT", at+" = (uint32_t)f.value;"
		case wide:
			wire, body = "VARINT", at+" = f.value;"
		case signed:
			wire, body = "VARINT", at+" = (int64_t)f.value;"
		case choice:
			wire, body = "VARINT", fmt.Sprintf("%s = (uint32_t)f.value <= %d ? (%s)(uint32_t)f.value : 0;", at, w.last[f.of], cName(f.of))
		case object:
			body = fmt.Sprintf("if (!hermes_read_struct(f.chunk, &%s)) return false;", at)
		case nested:
			if f.list {
				grow += fmt.Sprintf("%s item = {0};\n      if (!hermes_read_%s(f.chunk, &item)) return false;\n      ", cName(f.of), snake(f.of))
				body = at + " = item;"
			} else {
				body = fmt.Sprintf("if (!hermes_read_%s(f.chunk, &%s)) return false;", snake(f.of), at)
			}
		}
		if f.optional {
			body += fmt.Sprintf("\n      m->has_%s = true;", f.name)
		}
		w.line("    if (f.number == %d && f.wire == HERMES_%s) {\n      %s%s\n    }", f.number, wire, grow, body)
	}
	w.line("  }\n  return true;\n}\n")
}

func (w *writer) cWrite(m message) {
	w.line("static void hermes_append_%s(hermes_buffer *to, const %s *m) {", snake(m.name), cName(m.name))
	for _, f := range m.fields {
		at := "m->" + f.name
		switch {
		case f.list && f.kind == number:
			w.line("  hermes_buffer %s = {NULL, 0, 0};\n  for (size_t i = 0; i < %s_size; i++) hermes_put_varint(&%s, %s[i]);\n  hermes_put_bytes(to, %d, hermes_all(%s));",
				f.name, at, f.name, at, f.number, f.name)
		case f.list && f.kind == text:
			w.line("  for (size_t i = 0; i < %s_size; i++) hermes_put_chunk(to, %d, %s[i]);", at, f.number, at)
		case f.list:
			w.line("  for (size_t i = 0; i < %s_size; i++) {\n    hermes_buffer inner = {NULL, 0, 0};\n    hermes_append_%s(&inner, &%s[i]);\n"+
				"    hermes_put_chunk(to, %d, hermes_all(inner));\n  }", at, snake(f.of), at, f.number)
		case f.optional:
			w.line("  if (m->has_%s) hermes_put_chunk(to, %d, %s);", f.name, f.number, at)
		case f.kind == text || f.kind == bytes:
			w.line("  hermes_put_bytes(to, %d, %s);", f.number, at)
		case f.kind == object || f.kind == nested:
			of := "struct"
			if f.kind == nested {
				of = snake(f.of)
			}
			w.line("  hermes_buffer %s = {NULL, 0, 0};\n  hermes_append_%s(&%s, &%s);\n  hermes_put_bytes(to, %d, hermes_all(%s));", f.name, of, f.name, at, f.number, f.name)
		default:
			w.line("  hermes_put_number(to, %d, (uint64_t)%s);", f.number, at)
		}
	}
	w.line("}\n")
}

func (w *writer) cHook(h hook) {
	lines := []string{
		fmt.Sprintf("#define %s(decide)", strings.ToUpper(string(h.export))),
		fmt.Sprintf("  HERMES_EXPORT(%q) int32_t export_%s(int32_t len) {", h.export, h.export),
		"    hermes_bytes bytes;",
		fmt.Sprintf("    %s event = {0};", cName(h.event)),
		"    hermes_buffer out = {NULL, 0, 0};",
		"    int32_t status = hermes_open(len, &bytes);",
		"    if (status != HERMES_DECIDED) return status;",
		fmt.Sprintf("    if (!hermes_read_%s(bytes, &event)) return hermes_malformed();", snake(h.event)),
	}
	if h.verdict == "" {
		lines = append(lines, "    status = decide(&event);")
	} else {
		lines = append(lines, fmt.Sprintf("    %s verdict = {0};", cName(h.verdict)), "    status = decide(&event, &verdict);",
			fmt.Sprintf("    if (status == HERMES_DECIDED) hermes_append_%s(&out, &verdict);", snake(h.verdict)))
	}
	lines = append(lines, "    return status == HERMES_DECIDED ? hermes_close(out) : status;", "  }")
	w.line("%s\n", strings.Join(lines, " \\\n"))
}
