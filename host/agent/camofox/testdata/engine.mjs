// What the Camofox server imports of its engine: Playwright on the Chromium of the tests, as its own Firefox can only be
// downloaded from GitHub.
import { createRequire } from "node:module";

const { chromium } = createRequire(process.cwd() + "/")("playwright-core");

export const firefox = {
  launch: (options) => chromium.launch({ ...options, headless: true, executablePath: process.env.ENGINE }),
};
export const launchOptions = async () => ({});
export class VirtualDisplay {
  async get() {
    throw new Error("the tests have no display");
  }
  kill() {}
}
export class Camoufox {}
export class CamoufoxFetcher {}
export const DefaultAddons = {};
export const ALLOW_GEOIP = false;
export const maybeDownloadAddons = async () => {};
export const downloadMMDB = async () => {};
