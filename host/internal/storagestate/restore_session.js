(origin, text) => {
  if (location.origin !== origin) throw new Error("the document is of another origin");
  const before = Array.from({ length: sessionStorage.length }, (_, i) => sessionStorage.key(i)).map((name) => [name, sessionStorage.getItem(name)]);
  try {
    sessionStorage.clear();
    for (const { name, value } of JSON.parse(text)) sessionStorage.setItem(name, value);
  } catch (e) {
    sessionStorage.clear();
    for (const [name, value] of before) sessionStorage.setItem(name, value);
    throw new Error("sessionStorage: " + e.name);
  }
  return sessionStorage.length;
}
