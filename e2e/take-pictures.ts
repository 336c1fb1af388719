import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from './support/browser.ts';
import { freePort } from './support/free-port.ts';
import { startLongshore } from './support/longshore.ts';
import { createSampleAccounts } from './support/sample-accounts.ts';
import { setTheme, startTour, THEMES, type Viewport } from './support/screen-tour.ts';
import { SCREENS } from './support/screens/all.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** Takes pictures of every screen in every theme and size for manual review: `npm run screens`. */
const SIZES: Record<string, Viewport> = {
  small: { width: 360, height: 740 },
  middle: { width: 768, height: 1024 },
  wide: { width: 1440, height: 900 },
};
const PICTURES = join(import.meta.dirname, 'pictures');
/** Names of screens; default: all. */
const wanted = process.argv.slice(2);

const folder = await temporaryFolder();
const [port, ingressPort] = [await freePort(), await freePort()];
const longshore = await startLongshore({
  dataDir: join(folder.path, 'data'),
  port,
  ingressPort,
});
const browser = await launchBrowser();
try {
  const accounts = await createSampleAccounts(longshore.url, folder.path);
  const tour = startTour(browser, longshore.url, accounts);
  for (const screen of SCREENS) {
    if (wanted.length > 0 && !wanted.includes(screen.name)) continue;
    for (const [size, viewport] of Object.entries(SIZES)) {
      if (screen.isSmall && size !== 'small') continue;
      const page = await tour.visit(screen, viewport);
      for (const theme of THEMES) {
        await setTheme(page, theme);
        await mkdir(join(PICTURES, theme), { recursive: true });
        await page.screenshot({ path: join(PICTURES, theme, `${screen.name}-${size}.png`) });
      }
    }
    process.stdout.write(`${screen.name}\n`);
  }
  await tour.end();
} finally {
  await browser.close();
  await longshore.stop();
  await folder.remove();
}
