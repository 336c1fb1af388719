import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newDataDir } from '../support/empty-database.ts';
import { findAnimations } from '../support/fit/animations.ts';
import { layoutProblems, renderAll, SIZES, type Size } from '../support/fit/layout-problems.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { createSampleAccounts } from '../support/sample-accounts.ts';
import { setTheme, startTour, THEMES, type Tour } from '../support/screen-tour.ts';
import { SCREENS } from '../support/screens/all.ts';
import type { Screen } from '../support/screens/screen.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const WIDE = { width: 1440, height: 900 };

const browser = sharedBrowser();
let folder: TemporaryFolder;
let longshore: Longshore;
let tour: Tour;

beforeAll(async () => {
  folder = await temporaryFolder();
  const [port, ingressPort] = [await freePort(), await freePort()];
  longshore = await startLongshore({ dataDir: await newDataDir(folder.path), port, ingressPort });
  tour = startTour(browser, longshore.url, await createSampleAccounts(longshore.url, folder.path));
});

afterAll(async () => {
  await tour?.end();
  await longshore?.stop();
  await folder?.remove();
});

it.each(SCREENS)(
  '$name: no axe violations in any theme, no animations, no layout problems at any size',
  async (screen) => {
    const page = await tour.visit(screen, screen.isSmall ? SIZES.phone : WIDE);
    // Chromium computes colours of cards that are not rendered again at each access.
    await renderAll(page);
    await page.evaluate(axe.source);
    for (const [at, theme] of THEMES.entries()) {
      await setTheme(page, theme);
      // Themes differ only in colours.
      const rules = at === 0 ? [] : ['color-contrast'];
      expect(await violations(page, rules), theme).toEqual([]);
    }
    expect(await findAnimations(page)).toEqual([]);
    for (const size of sizesOf(screen)) expect(await layoutProblems(page, size), size).toEqual([]);
  },
);

function sizesOf({ isSmall }: Screen): Size[] {
  return (Object.keys(SIZES) as Size[]).filter((size) => !isSmall || size !== 'tablet');
}

/** Checks the given rules, or all of them. */
async function violations(page: Page, rules: string[]): Promise<string[]> {
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    return (await axe.run(runOnly.length === 0 ? {} : { runOnly })).violations;
  }, rules);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
