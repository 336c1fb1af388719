import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROUTES } from '@longshore/contract';
import type { Browser, Page } from 'playwright-core';
import { signUp as signUpInPage } from '../e2e/pages/sign-up-page.ts';
import { launchBrowser } from '../e2e/support/browser.ts';
import { makeRepository } from '../e2e/support/repository.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { LOG_BURST_APP, printLines, waitForLine } from './support/log-burst-app.ts';
import { type Longshore, startLongshore } from './support/longshore.ts';
import {
  forgetTasks,
  heapBytes,
  mainThread,
  scrollFrames,
  throttle,
  watchMainThread,
} from './support/main-thread.ts';
import type { Measurement } from './support/measurement.ts';
import { percentile } from './support/statistics.ts';

const SLOWER = 4;
const FRAME_MS = 1000 / 60;
const LONG_TASK_MS = 50;
const LINES = 100_000;
/** A hundred a second, for an hour. */
const HOURLY_LINES = 360_000;
/** Growth below this within an hour counts as none. */
const FLAT = 1.1;
const RATE = 5_000;
const RATE_SECONDS = 10;
/** A page with live queries never becomes network-idle; after this time it is settled. */
const REST_MS = 3_000;
const MB = 1_000_000;
const SCROLL_FRAMES = 240;
const LOG = '[role="log"]';

await runBenchmark('console', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const url = await makeRepository(join(folder, 'chatty'), LOG_BURST_APP);
  const longshore = await startLongshore(join(folder, 'data'), scope);
  const browser = await launchBrowser();
  scope.defer(() => browser.close());
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await signUpInPage(visitor, longshore.url, 'ada@example.com');
  const app = await deploy(visitor, url);
  scope.defer(() => remove(visitor));
  return [
    ...(await firstViews(browser, visitor, longshore, app.path)),
    ...(await logs(visitor, longshore, app)),
    await hour(await context.newPage(), longshore, app),
  ];
});

type App = { path: string; id: string; name: string };

async function deploy(page: Page, url: string): Promise<App> {
  await page.getByRole('button', { name: 'New Project' }).first().click();
  await page.getByLabel('Project name').fill('Harbour');
  await page.getByRole('button', { name: 'Create Project' }).click();
  await page.getByRole('link', { name: 'Harbour' }).click();
  await page.getByRole('button', { name: 'Deploy App' }).first().click();
  await page.getByRole('button', { name: 'Manual deployment' }).click();
  await page.getByLabel('Source URL').fill(url);
  await page.getByLabel('Application Name').fill('chatty');
  await page.getByLabel('Port', { exact: true }).fill('3000');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.waitForURL(/\/apps\/[0-9a-f-]{36}$/);
  await page.locator('[data-status="Ready"]').first().waitFor({ timeout: 60_000 });
  const path = new URL(page.url()).pathname;
  return { path, id: path.split('/').at(-1) ?? '', name: 'chatty' };
}

/** Apps outlive the server, so they are deleted before it stops. */
async function remove(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/);
}

/** First views with a CPU slowdown of 4 and an empty cache, compared with a page without scripts. */
async function firstViews(
  browser: Browser,
  signedIn: Page,
  { url }: Longshore,
  appPath: string,
): Promise<Measurement[]> {
  const storageState = await signedIn.context().storageState();
  const view = async (path: string, isSignedIn: boolean) => {
    const context = await browser.newContext(isSignedIn ? { storageState } : {});
    const page = await context.newPage();
    await watchMainThread(page);
    await throttle(page, SLOWER);
    await page.goto(`${url}${path}`);
    await page.getByRole('heading').first().waitFor();
    await delay(REST_MS);
    const kept = await mainThread(page);
    await context.close();
    return kept;
  };
  const baseline = {
    name: 'a page of the guide',
    value: (await view('/docs/keyboard', false)).lcp,
  };
  const measurements: Measurement[] = [];
  for (const [name, path, isSignedIn] of [
    ['sign-in page', ROUTES.login, false],
    ['projects', ROUTES.dashboard, true],
    ['app page', appPath, true],
  ] as const) {
    const { lcp, shifts } = await view(path, isSignedIn);
    measurements.push(
      {
        name: `${name}: largest contentful paint, CPU 4 times slower`,
        unit: 'ms',
        value: lcp,
        baseline,
      },
      { name: `${name}: layout shift, in thousandths`, unit: '‰', value: shifts * 1000, budget: 0 },
    );
  }
  return measurements;
}

async function logs(page: Page, longshore: Longshore, app: App): Promise<Measurement[]> {
  await watchMainThread(page);
  await page.goto(`${longshore.url}${app.path}`);
  await page.locator(LOG).waitFor();
  await printLines(longshore, app, { lines: LINES });
  await waitForLine(page, await printLines(longshore, app, { lines: 1 }));
  const frames = await scrollFrames(page, LOG, SCROLL_FRAMES);
  await page.getByRole('button', { name: 'Jump to latest' }).click();

  await forgetTasks(page);
  await printLines(longshore, app, { lines: RATE * RATE_SECONDS, rate: RATE });
  const { longest } = await mainThread(page);
  return [
    {
      name: `frame time while scrolling ${LINES} lines, p95`,
      unit: 'ms',
      value: percentile(frames, 0.95),
      budget: FRAME_MS,
    },
    {
      name: `longest task at ${RATE} lines per second`,
      unit: 'ms',
      value: longest,
      budget: LONG_TASK_MS,
    },
  ];
}

/** As many lines as in an hour, printed in half a minute: shows growth per line, not growth over time. */
async function hour(page: Page, longshore: Longshore, app: App): Promise<Measurement> {
  await page.goto(`${longshore.url}${app.path}`);
  await page.locator(LOG).waitFor();
  await printLines(longshore, app, { lines: LINES });
  await waitForLine(page, await printLines(longshore, app, { lines: 1 }));
  const begun = await heapBytes(page);
  let most = 0;
  for (let quarter = 0; quarter < 4; quarter += 1) {
    await printLines(longshore, app, { lines: HOURLY_LINES / 4 });
    await waitForLine(page, await printLines(longshore, app, { lines: 1 }));
    most = Math.max(most, await heapBytes(page));
  }
  return {
    name: `peak memory during ${HOURLY_LINES} lines, an hour of 100 per second`,
    unit: 'MB',
    value: most / MB,
    budget: (begun * FLAT) / MB,
    baseline: { name: `before, with ${LINES} lines`, value: begun / MB },
  };
}
