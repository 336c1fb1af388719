import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserOfFile } from '../support/browser-of-file.ts';
import { freePort } from '../support/free-port.ts';
import { fillHarbour } from '../support/harbour.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { startTour, THEMES, type Tour, wear } from '../support/look-around.ts';
import { SCREENS } from '../support/screens.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const WIDE = { width: 1440, height: 900 };
const SMALL = { width: 360, height: 740 };

const browser = browserOfFile();
let folder: TemporaryFolder;
let longshore: Longshore;
let tour: Tour;

beforeAll(async () => {
  folder = await temporaryFolder();
  const [port, ingressPort] = [await freePort(), await freePort()];
  longshore = await startLongshore({ dataDir: join(folder.path, 'data'), port, ingressPort });
  tour = await startTour(browser, longshore.url, await fillHarbour(longshore.url, folder.path));
});

afterAll(async () => {
  await tour?.end();
  await longshore?.stop();
  await folder?.remove();
});

it.each(SCREENS)('axe finds nothing on $name, in any theme', async (screen) => {
  const page = await tour.visit(screen, screen.isSmall ? SMALL : WIDE);
  await page.evaluate(axe.source);
  for (const [at, theme] of THEMES.entries()) {
    await wear(page, theme);
    // Themes differ in their colours only.
    const rules = at === 0 ? [] : ['color-contrast'];
    expect(await violations(page, rules), theme).toEqual([]);
  }
});

/** By the rules given, or by all of them. */
async function violations(page: Page, rules: string[]): Promise<string[]> {
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    return (await axe.run(runOnly.length === 0 ? {} : { runOnly })).violations;
  }, rules);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
