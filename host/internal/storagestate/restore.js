async (origin, text) => {
  if (location.origin !== origin) throw new Error("the document is of another origin");
  const state = JSON.parse(text);
  const arrays = {
    i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array, i32: Int32Array,
    ui32: Uint32Array, f32: Float32Array, f64: Float64Array, bi64: BigInt64Array, bui64: BigUint64Array,
  };
  const bytes = (b) => Uint8Array.from(atob(b), (c) => c.charCodeAt(0));
  const special = { undefined, null: null, NaN, Infinity, "-Infinity": -Infinity, "-0": -0 };

  function decoded(form, known = new Map()) {
    if (typeof form !== "object" || form === null) return form;
    if ("ref" in form) return known.get(form.ref);
    if ("v" in form) return special[form.v];
    if ("d" in form) return new Date(form.d);
    if ("u" in form) return form.u; // a URL, which no database holds
    if ("bi" in form) return BigInt(form.bi);
    if ("r" in form) return new RegExp(form.r.p, form.r.f);
    if ("ab" in form) return bytes(form.ab.b).buffer;
    if ("ta" in form) return new arrays[form.ta.k](bytes(form.ta.b).buffer);
    if ("e" in form) {
      const error = new Error(form.e.m);
      return Object.assign(error, { name: form.e.n, stack: form.e.s });
    }
    const value = "a" in form ? [] : {};
    known.set(form.id, value);
    if ("a" in form) for (const one of form.a) value.push(decoded(one, known));
    else for (const { k, v } of form.o) Object.defineProperty(value, k, { value: decoded(v, known), enumerable: true, configurable: true, writable: true });
    return value;
  }
  const either = (plain, form) => form === undefined ? plain : decoded(form);

  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error("IndexedDB: " + request.error?.name));
    request.onblocked = () => reject(new Error("IndexedDB: a page of the origin has a database open"));
  });
  // A blocked deletion is not withdrawn: it happens once the page that holds the database lets go. A blocked upgrade is, so
  // one that is aborted shows that nobody holds it.
  const unused = (name) => new Promise((resolve, reject) => {
    const request = indexedDB.open(name, Number.MAX_SAFE_INTEGER);
    request.onupgradeneeded = () => request.transaction.abort();
    request.onerror = resolve;
    request.onblocked = () => reject(new Error("IndexedDB: a page of the origin has a database open"));
  });
  const path = (of) => of.keyPathArray ?? of.keyPath ?? null;

  async function database(wanted) {
    const request = indexedDB.open(wanted.name, wanted.version);
    request.onupgradeneeded = () => {
      for (const s of wanted.stores) {
        const objects = request.result.createObjectStore(s.name, { autoIncrement: s.autoIncrement, keyPath: path(s) });
        for (const i of s.indexes ?? []) objects.createIndex(i.name, path(i), { unique: i.unique, multiEntry: i.multiEntry });
      }
    };
    const db = await done(request);
    try {
      if (wanted.stores.length === 0) return 0;
      const transaction = db.transaction(wanted.stores.map((s) => s.name), "readwrite");
      const complete = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(new Error("IndexedDB: " + transaction.error?.name));
      });
      let records = 0;
      for (const s of wanted.stores) {
        const objects = transaction.objectStore(s.name);
        for (const r of s.records) {
          const key = either(r.key, r.keyEncoded);
          objects.add(either(r.value, r.valueEncoded), ...(key === undefined ? [] : [key]));
          records++;
        }
      }
      await complete;
      return records;
    } finally { db.close(); }
  }

  let records = 0;
  if (state.indexedDB) {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    for (const name of names) await unused(name);
    for (const name of names) await done(indexedDB.deleteDatabase(name));
    for (const wanted of state.indexedDB) records += await database(wanted);
  }
  const before = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i)).map((name) => [name, localStorage.getItem(name)]);
  try {
    localStorage.clear();
    for (const { name, value } of state.localStorage) localStorage.setItem(name, value);
  } catch (e) {
    localStorage.clear();
    for (const [name, value] of before) localStorage.setItem(name, value);
    throw new Error("localStorage: " + e.name);
  }
  return { localStorage: localStorage.length, records };
}
