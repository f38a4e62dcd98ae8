// Attaches Playwright to a running browser, as a hosted backend would, and answers every native dialog by itself.
// usage: node adversary.mjs FOLDER ADDRESS, with FOLDER that has node_modules. It prints one JSON object per line
// ({"attached": pages}, {"dialog": type, "message": text}) and disconnects when its standard input ends.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, address] = process.argv.slice(2);
const { chromium } = createRequire(join(folder, 'package.json'))('playwright-core');

const say = (what) => process.stdout.write(JSON.stringify(what) + '\n');

function follow(page) {
  page.on('dialog', async (dialog) => {
    say({ dialog: dialog.type(), message: dialog.message() });
    // Somebody else may have been faster, or the page has gone.
    await dialog.dismiss().catch(() => {});
  });
}

const browser = await chromium.connectOverCDP(address);
for (const context of browser.contexts()) {
  context.pages().forEach(follow);
  context.on('page', follow);
}
say({ attached: browser.contexts().reduce((n, context) => n + context.pages().length, 0) });
for await (const _ of process.stdin);
await browser.close();
