package bindings

import (
	"fmt"
	"strings"
)

func zigType(f field) string {
	one := map[kind]string{text: "[]const u8", bytes: "[]const u8", flag: "bool", number: "u32", wide: "u64", signed: "i64", object: "Struct"}[f.kind]
	if one == "" {
		one = f.of
	}
	switch {
	case f.list:
		return "[]const " + one
	case f.optional:
		return "?" + one
	}
	return one
}

func zigZero(f field) string {
	switch {
	case f.list:
		return "&.{}"
	case f.optional:
		return "null"
	}
	switch f.kind {
	case text, bytes:
		return `""`
	case flag:
		return "false"
	case number, wide, signed:
		return "0"
	case choice:
		return ".unspecified"
	}
	return ".{}"
}

func (w *writer) zig(s schema) {
	for _, e := range s.enums {
		w.line("")
		w.comment("///", e.comment)
		w.line("pub const %s = enum(u32) {", e.name)
		for _, v := range e.values {
			w.line("    %s = %d,", strings.ToLower(v.word), v.number)
		}
		w.line("\n    fn of(number: u64) %s {\n        const low: u32 = @truncate(number);\n        return if (low <= %d) @enumFromInt(low) else .unspecified;\n    }\n};",
			e.name, e.values[len(e.values)-1].number)
	}
	for _, m := range s.messages {
		w.line("")
		w.comment("///", m.comment)
		w.line("pub const %s = struct {", m.name)
		for _, f := range m.fields {
			w.line("    %s: %s = %s,", f.name, zigType(f), zigZero(f))
		}
		if m.event {
			w.line("\n    fn field(m: *%s, f: Field) bool {", m.name)
			for _, f := range m.fields {
				w.line("        %s", zigRead(f))
			}
			w.line("        return true;\n    }")
		}
		if m.verdict {
			w.line("\n    fn append(m: *const %s, out: *Buffer) void {", m.name)
			for _, f := range m.fields {
				w.line("        %s", zigWrite(f))
			}
			w.line("    }")
		}
		w.line("};")
	}
}

func zigRead(f field) string {
	at, wire, value, check := "m."+f.name, "CHUNK", "", ""
	switch f.kind {
	case text:
		value, check = "f.chunk", "if (!isUTF8(f.chunk)) return false;\n            "
	case bytes:
		value = "f.chunk"
	case flag:
		wire, value = "VARINT", "f.value != 0"
	case number:
		wire, value = "VARINT", "@truncate(f.value)"
	case wide:
		wire, value = "VARINT", "f.value"
	case signed:
		wire, value = "VARINT", "@bitCast(f.value)"
	case choice:
		wire, value = "VARINT", f.of+".of(f.value)"
	case object:
		return fmt.Sprintf("if (f.number == %d and f.wire == CHUNK and !%s.decode(f.chunk, 0)) return false;", f.number, at)
	case nested:
		if !f.list {
			return fmt.Sprintf("if (f.number == %d and f.wire == CHUNK and !decode(%s, f.chunk, &%s)) return false;", f.number, f.of, at)
		}
		value, check = "item", fmt.Sprintf("var item = %s{};\n            if (!decode(%s, f.chunk, &item)) return false;\n            ", f.of, f.of)
	}
	body := fmt.Sprintf("%s = %s;", at, value)
	if f.list {
		of := f.of
		if f.kind == text {
			of = "[]const u8"
		}
		body = fmt.Sprintf("%s = add(%s, %s, %s);", at, of, at, value)
	}
	return fmt.Sprintf("if (f.number == %d and f.wire == %s) {\n            %s%s\n        }", f.number, wire, check, body)
}

func zigWrite(f field) string {
	at := "m." + f.name
	switch {
	case f.list && f.kind == number:
		return fmt.Sprintf("var %s = Buffer{};\n        for (%s) |n| %s.varint(n);\n        out.chunk(%d, %s.all());", f.name, at, f.name, f.number, f.name)
	case f.list && f.kind == text:
		return fmt.Sprintf("for (%s) |item| out.chunkAlways(%d, item);", at, f.number)
	case f.list:
		return fmt.Sprintf("for (%s) |*item| {\n            var inner = Buffer{};\n            item.append(&inner);\n            out.chunkAlways(%d, inner.all());\n        }", at, f.number)
	case f.optional:
		return fmt.Sprintf("if (%s) |text| out.chunkAlways(%d, text);", at, f.number)
	}
	switch f.kind {
	case text, bytes:
		return fmt.Sprintf("out.chunk(%d, %s);", f.number, at)
	case object, nested:
		return fmt.Sprintf("var %s = Buffer{};\n        %s.append(&%s);\n        out.chunk(%d, %s.all());", f.name, at, f.name, f.number, f.name)
	case flag:
		return fmt.Sprintf("out.number(%d, @intFromBool(%s));", f.number, at)
	case choice:
		return fmt.Sprintf("out.number(%d, @intFromEnum(%s));", f.number, at)
	case signed:
		return fmt.Sprintf("out.number(%d, @bitCast(%s));", f.number, at)
	}
	return fmt.Sprintf("out.number(%d, %s);", f.number, at)
}
