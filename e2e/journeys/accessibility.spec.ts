import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserOfFile } from '../support/browser-of-file.ts';
import { misfits, SIZES, type Size } from '../support/fit/misfits.ts';
import { motions } from '../support/fit/motions.ts';
import { freePort } from '../support/free-port.ts';
import { fillHarbour } from '../support/harbour.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { startTour, THEMES, type Tour, wear } from '../support/look-around.ts';
import { SCREENS } from '../support/screens/all.ts';
import type { Screen } from '../support/screens/screen.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const WIDE = { width: 1440, height: 900 };

const browser = browserOfFile();
let folder: TemporaryFolder;
let longshore: Longshore;
let tour: Tour;

beforeAll(async () => {
  folder = await temporaryFolder();
  const [port, ingressPort] = [await freePort(), await freePort()];
  longshore = await startLongshore({ dataDir: join(folder.path, 'data'), port, ingressPort });
  tour = startTour(browser, longshore.url, await fillHarbour(longshore.url, folder.path));
});

afterAll(async () => {
  await tour?.end();
  await longshore?.stop();
  await folder?.remove();
});

it.each(SCREENS)(
  '$name: axe finds nothing in any theme, nothing moves, and all fits at every size',
  async (screen) => {
    const page = await tour.visit(screen, screen.isSmall ? SIZES.phone : WIDE);
    await page.evaluate(axe.source);
    for (const [at, theme] of THEMES.entries()) {
      await wear(page, theme);
      // Themes differ in their colours only.
      const rules = at === 0 ? [] : ['color-contrast'];
      expect(await violations(page, rules), theme).toEqual([]);
    }
    expect(await motions(page)).toEqual([]);
    for (const size of sizesOf(screen)) expect(await misfits(page, size), size).toEqual([]);
  },
);

function sizesOf({ isSmall }: Screen): Size[] {
  return (Object.keys(SIZES) as Size[]).filter((size) => !isSmall || size !== 'tablet');
}

/** By the rules given, or by all of them. */
async function violations(page: Page, rules: string[]): Promise<string[]> {
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    return (await axe.run(runOnly.length === 0 ? {} : { runOnly })).violations;
  }, rules);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
