package bindings

import "fmt"

// rustName is a field's name; some are words of the language.
func rustName(name string) string {
	switch name {
	case "type", "final":
		return "r#" + name
	}
	return name
}

func rustType(f field) string {
	one := map[kind]string{text: "String", bytes: "Vec<u8>", flag: "bool", number: "u32", wide: "u64", signed: "i64", object: "Struct"}[f.kind]
	if one == "" {
		one = f.of
	}
	switch {
	case f.list:
		return "Vec<" + one + ">"
	case f.optional:
		return "Option<" + one + ">"
	}
	return one
}

func (w *writer) rust(s schema) {
	for _, e := range s.enums {
		w.line("")
		w.comment("///", e.comment)
		w.line("#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]\npub enum %s {", e.name)
		for i, v := range e.values {
			if i == 0 {
				w.line("    #[default]")
			}
			w.line("    %s = %d,", titled(v.word), v.number)
		}
		w.line("}\n\nimpl %s {\n    fn of(value: u64) -> Self {\n        match value as u32 {", e.name)
		for _, v := range e.values[1:] {
			w.line("            %d => Self::%s,", v.number, titled(v.word))
		}
		w.line("            _ => Self::%s,\n        }\n    }\n}", titled(e.values[0].word))
	}
	for _, m := range s.messages {
		w.line("")
		w.comment("///", m.comment)
		w.line("#[derive(Clone, Debug, Default, PartialEq)]\npub struct %s {", m.name)
		for _, f := range m.fields {
			w.line("    pub %s: %s,", rustName(f.name), rustType(f))
		}
		w.line("}")
		if m.event {
			w.line("\nimpl Message for %s {\n    fn field(&mut self, f: &Field) -> Result<(), Malformed> {\n        match (f.number, f.wire) {", m.name)
			for _, f := range m.fields {
				w.line("            %s", rustRead(f))
			}
			w.line("            _ => (),\n        }\n        Ok(())\n    }\n}")
		}
		if m.verdict {
			w.line("\nimpl Verdict for %s {\n    fn append(&self, out: &mut Vec<u8>) {", m.name)
			for _, f := range m.fields {
				w.line("        %s", rustWrite(f))
			}
			w.line("    }\n}")
		}
	}
}

func rustRead(f field) string {
	at := "self." + rustName(f.name)
	wire, value := "CHUNK", ""
	switch f.kind {
	case text:
		value = "text(f.chunk)?"
	case bytes:
		value = "f.chunk.to_vec()"
	case flag:
		wire, value = "VARINT", "f.value != 0"
	case number:
		wire, value = "VARINT", "f.value as u32"
	case wide:
		wire, value = "VARINT", "f.value"
	case signed:
		wire, value = "VARINT", "f.value as i64"
	case choice:
		wire, value = "VARINT", f.of+"::of(f.value)"
	case nested, object:
		if !f.list {
			return fmt.Sprintf("(%d, CHUNK) => %s.decode(f.chunk)?,", f.number, at)
		}
		return fmt.Sprintf("(%d, CHUNK) => {\n                let mut item = %s::default();\n                item.decode(f.chunk)?;\n"+
			"                %s.push(item);\n            }", f.number, f.of, at)
	}
	switch {
	case f.list:
		return fmt.Sprintf("(%d, %s) => %s.push(%s),", f.number, wire, at, value)
	case f.optional:
		return fmt.Sprintf("(%d, %s) => %s = Some(%s),", f.number, wire, at, value)
	}
	return fmt.Sprintf("(%d, %s) => %s = %s,", f.number, wire, at, value)
}

func rustWrite(f field) string {
	at := "self." + rustName(f.name)
	switch {
	case f.list && f.kind == number:
		return fmt.Sprintf("let mut packed = Vec::new();\n        %s.iter().for_each(|n| put_varint(&mut packed, *n as u64));\n"+
			"        put_bytes(out, %d, &packed);", at, f.number)
	case f.list && f.kind == text:
		return fmt.Sprintf("%s.iter().for_each(|item| put_chunk(out, %d, item.as_bytes()));", at, f.number)
	case f.list:
		return fmt.Sprintf("for item in &%s {\n            let mut inner = Vec::new();\n            item.append(&mut inner);\n"+
			"            put_chunk(out, %d, &inner);\n        }", at, f.number)
	case f.optional:
		return fmt.Sprintf("if let Some(text) = &%s {\n            put_chunk(out, %d, text.as_bytes());\n        }", at, f.number)
	}
	switch f.kind {
	case text:
		return fmt.Sprintf("put_bytes(out, %d, %s.as_bytes());", f.number, at)
	case bytes:
		return fmt.Sprintf("put_bytes(out, %d, &%s);", f.number, at)
	case nested, object:
		return fmt.Sprintf("let mut inner = Vec::new();\n        %s.append(&mut inner);\n        put_bytes(out, %d, &inner);", at, f.number)
	}
	return fmt.Sprintf("put_number(out, %d, %s as u64);", f.number, at)
}
