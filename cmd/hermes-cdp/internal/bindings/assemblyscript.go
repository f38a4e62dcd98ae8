package bindings

import "fmt"

func asType(f field) string {
	one := map[kind]string{text: "string", bytes: "Uint8Array", flag: "bool", number: "u32", wide: "u64", signed: "i64", object: "Struct"}[f.kind]
	if one == "" {
		one = f.of
	}
	if f.list {
		return one + "[]"
	}
	return one
}

func asZero(f field) string {
	switch {
	case f.list:
		return "[]"
	case f.optional:
		return "null"
	}
	switch f.kind {
	case text:
		return `""`
	case bytes:
		return "new Uint8Array(0)"
	case flag:
		return "false"
	case number, wide, signed:
		return "0"
	case choice:
		return f.of + ".UNSPECIFIED"
	}
	return "new " + asType(f) + "()"
}

func (w *writer) assemblyScript(s schema) {
	for _, e := range s.enums {
		w.line("")
		w.comment("//", e.comment)
		w.line("export enum %s {", e.name)
		for _, v := range e.values {
			w.line("  %s = %d,", v.word, v.number)
		}
		// The host may know values that this file does not: they are read as unspecified.
		w.line("}\n\nfunction %s(value: u64): %s {\n  return <u32>value <= %d ? <%s><i32>value : %s.%s;\n}",
			camel(snake(e.name)), e.name, e.values[len(e.values)-1].number, e.name, e.name, e.values[0].word)
	}
	for _, m := range s.messages {
		w.line("")
		w.comment("//", m.comment)
		extends := ""
		switch {
		case m.event && m.verdict: // a part of messages both ways
		case m.event:
			extends = " extends Message"
		case m.verdict:
			extends = " extends Verdict"
		}
		w.line("export class %s%s {", m.name, extends)
		for _, f := range m.fields {
			kind := asType(f)
			if f.optional {
				kind += " | null"
			}
			w.line("  %s: %s = %s;", camel(f.name), kind, asZero(f))
		}
		if m.event {
			w.line("\n  read(r: Reader): void {\n    while (r.next()) {")
			for i, f := range m.fields {
				otherwise := ""
				if i > 0 {
					otherwise = "} else "
				}
				wire, body := asRead(f)
				w.line("      %sif (r.number == %d && r.wire == %s) {\n        %s", otherwise, f.number, wire, body)
			}
			w.line("      }\n    }\n  }")
		}
		if m.verdict {
			w.line("\n  append(w: Writer): void {")
			for _, f := range m.fields {
				w.line("    %s", asWrite(f))
			}
			w.line("  }")
		}
		w.line("}")
	}
}

func asRead(f field) (wire, body string) {
	at := "this." + camel(f.name)
	wire = "CHUNK"
	value := ""
	switch f.kind {
	case text:
		value = "r.text()"
	case bytes:
		value = "r.bytes()"
	case flag:
		wire, value = "VARINT", "r.value != 0"
	case number:
		wire, value = "VARINT", "<u32>r.value"
	case wide:
		wire, value = "VARINT", "r.value"
	case signed:
		wire, value = "VARINT", "<i64>r.value"
	case choice:
		wire, value = "VARINT", camel(snake(f.of))+"(r.value)"
	case nested, object:
		depth := ""
		if f.kind == object {
			depth = ", 0"
		}
		const pass = "const inner = r.inner();\n        %s.read(inner%s);\n        r.after(inner);"
		if !f.list {
			return wire, fmt.Sprintf(pass, at, depth)
		}
		return wire, fmt.Sprintf("const item = new %s();\n        "+pass+"\n        %s.push(item);", f.of, "item", depth, at)
	}
	if f.list {
		return wire, fmt.Sprintf("%s.push(%s);", at, value)
	}
	return wire, fmt.Sprintf("%s = %s;", at, value)
}

func asWrite(f field) string {
	at := "this." + camel(f.name)
	local := camel(f.name) + "Part"
	switch {
	case f.list && f.kind == number:
		return fmt.Sprintf("if (%s.length > 0) {\n      const packed = new Writer();\n      for (let i = 0; i < %s.length; i++) packed.varint(%s[i]);\n"+
			"      w.message(%d, packed);\n    }", at, at, at, f.number)
	case f.list && f.kind == text:
		return fmt.Sprintf("for (let i = 0; i < %s.length; i++) w.text(%d, %s[i], true);", at, f.number, at)
	case f.list:
		return fmt.Sprintf("for (let i = 0; i < %s.length; i++) {\n      const inner = new Writer();\n      %s[i].append(inner);\n"+
			"      w.message(%d, inner);\n    }", at, at, f.number)
	case f.optional:
		return fmt.Sprintf("const %s = %s;\n    if (%s != null) w.text(%d, %s, true);", local, at, local, f.number, local)
	}
	switch f.kind {
	case text:
		return fmt.Sprintf("w.text(%d, %s);", f.number, at)
	case bytes:
		return fmt.Sprintf("w.chunk(%d, %s);", f.number, at)
	case nested, object:
		return fmt.Sprintf("const %s = new Writer();\n    %s.append(%s);\n    if (%s.size > 0) w.message(%d, %s);", local, at, local, local, f.number, local)
	case flag:
		return fmt.Sprintf("w.number(%d, %s ? 1 : 0);", f.number, at)
	}
	return fmt.Sprintf("w.number(%d, <u64>%s);", f.number, at)
}
