// Has Playwright save or load a storage state in a browser context of its own.
// usage: node storage.mjs FOLDER ADDRESS save|load FILE URL..., with FOLDER that has node_modules. The pages at the URLs
// have the functions put() and tell(). It opens each, calls put before it saves, and prints what tell returns.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, address, action, file, ...urls] = process.argv.slice(2);
const { chromium } = createRequire(join(folder, 'package.json'))('playwright-core');

const browser = await chromium.connectOverCDP(address);
const context = await browser.newContext(action === 'load' ? { storageState: file } : {});
const told = [];
for (const url of urls) {
  const page = await context.newPage();
  await page.goto(url);
  if (action === 'save') await page.evaluate('put()');
  told.push(await page.evaluate('tell()'));
  await page.close();
}
if (action === 'save') await context.storageState({ path: file, indexedDB: true });
await context.close();
await browser.close();
process.stdout.write(JSON.stringify(told));
