// Gives the Camofox server, loaded after this, the engine of engine.mjs in place of its own.
import { registerHooks } from "node:module";

const engine = new URL("./engine.mjs", import.meta.url).href;
const replaced = (specifier) => specifier === "playwright-core" || specifier.startsWith("camoufox-js");

registerHooks({
  resolve(specifier, context, next) {
    const ofServer = context.parentURL?.includes("/@askjo/camofox-browser/");
    return ofServer && replaced(specifier) ? { url: engine, shortCircuit: true } : next(specifier, context);
  },
});
