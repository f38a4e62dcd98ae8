async (origin) => {
  if (location.origin !== origin) throw new Error("the document is of another origin");

  // The encoding of values that are not JSON is Playwright's (packages/isomorphic/utilityScriptSerializers.ts).
  const arrays = {
    i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array, i32: Int32Array,
    ui32: Uint32Array, f32: Float32Array, f64: Float64Array, bi64: BigInt64Array, bui64: BigUint64Array,
  };
  const base64 = (bytes) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return btoa(text);
  };
  class Unsupported extends Error {}

  function encoded(value) {
    let plain = true;
    const known = new Map();
    const special = (form) => (plain = false, form);
    const step = (v) => {
      if (v === null) return { v: "null" };
      if (typeof v === "string" || typeof v === "boolean") return v;
      if (typeof v === "number") {
        if (Object.is(v, -0)) return special({ v: "-0" });
        return Number.isFinite(v) ? v : special({ v: String(v) });
      }
      if (v === undefined) return special({ v: "undefined" });
      if (typeof v === "bigint") return special({ bi: v.toString() });
      if (known.has(v)) return special({ ref: known.get(v) });
      const kind = Object.prototype.toString.call(v);
      if (kind === "[object Date]" && !isNaN(v)) return special({ d: v.toJSON() });
      if (kind === "[object RegExp]") return special({ r: { p: v.source, f: v.flags } });
      if (kind === "[object Error]") return special({ e: { n: v.name, m: v.message, s: v.stack || "" } });
      if (kind === "[object ArrayBuffer]") return special({ ab: { b: base64(new Uint8Array(v)) } });
      for (const [k, type] of Object.entries(arrays)) {
        if (v instanceof type) return special({ ta: { b: base64(new Uint8Array(v.buffer, v.byteOffset, v.byteLength)), k } });
      }
      const id = known.size + 1;
      known.set(v, id);
      if (Array.isArray(v)) return { a: Array.from(v, step), id };
      if (Object.getPrototypeOf(v) !== Object.prototype || kind !== "[object Object]") throw new Unsupported();
      return { o: Object.keys(v).map((k) => ({ k, v: step(v[k]) })), id };
    };
    const form = step(value);
    return plain && value !== null ? { plain: value } : { form }; // Playwright takes null for none
  }

  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error("IndexedDB: " + request.error?.name));
  });
  const path = (keyPath) => Array.isArray(keyPath) ? { keyPathArray: keyPath } : keyPath === null ? {} : { keyPath };

  let skipped = 0;
  async function store(objects) {
    // Both requests are of one transaction, so that they see the same records in the same order.
    const [keys, values] = await Promise.all([done(objects.getAllKeys()), done(objects.getAll())]);
    const records = [];
    values.forEach((value, i) => {
      try {
        const record = {};
        if (objects.keyPath === null) {
          const { plain, form } = encoded(keys[i]);
          if (form === undefined) record.key = plain; else record.keyEncoded = form;
        }
        const { plain, form } = encoded(value);
        if (form === undefined) record.value = plain; else record.valueEncoded = form;
        records.push(record);
      } catch (e) {
        if (!(e instanceof Unsupported)) throw e;
        skipped++;
      }
    });
    const indexes = Array.from(objects.indexNames, (name) => {
      const index = objects.index(name);
      return { name, ...path(index.keyPath), multiEntry: index.multiEntry, unique: index.unique };
    });
    return { name: objects.name, records, indexes, autoIncrement: objects.autoIncrement, ...path(objects.keyPath) };
  }

  async function database({ name }) {
    const request = indexedDB.open(name);
    request.onupgradeneeded = () => request.transaction.abort(); // it has been deleted meanwhile
    let db;
    try { db = await done(request); } catch (e) { return request.error?.name === "AbortError" ? null : Promise.reject(e); }
    try {
      const names = [...db.objectStoreNames];
      const transaction = names.length && db.transaction(names, "readonly");
      return { name, version: db.version, stores: await Promise.all(names.map((n) => store(transaction.objectStore(n)))) };
    } finally { db.close(); }
  }

  // Not by Object.keys, which leaves out an item with the name length.
  const items = (storage) => Array.from({ length: storage.length }, (_, i) => storage.key(i)).map((name) => ({ name, value: storage.getItem(name) }));
  const found = { origin, localStorage: items(localStorage), sessionStorage: items(sessionStorage) };
  const databases = await Promise.all((await indexedDB.databases()).map(database));
  found.indexedDB = databases.filter((db) => db !== null);
  found.skipped = skipped;
  // As ASCII a surrogate without a partner arrives as it is.
  return JSON.stringify(found).replace(/[\u007f-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}
