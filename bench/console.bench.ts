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
  heapBytes,
  mainThreadMetrics,
  resetLongestTask,
  scrollFrames,
  throttle,
  watchMainThread,
} from './support/main-thread.ts';
import type { Measurement } from './support/measurement.ts';
import { percentile } from './support/statistics.ts';

const CPU_SLOWDOWN = 4;
const FRAME_MS = 1000 / 60;
const LONG_TASK_MS = 50;
const LINES = 100_000;
/** 100 per second for an hour. */
const HOURLY_LINES = 360_000;
/** The page keeps the lines of an hour, and of more, up to a million. */
const MAX_HOUR_MB = 150;
const LINES_PER_SECOND = 5_000;
const RATE_SECONDS = 10;
/** A page with live queries never becomes network-idle, so the benchmark waits a fixed time. */
const SETTLE_MS = 3_000;
const MB = 1_000_000;
const SCROLL_FRAMES = 240;
const LOG = '[role="log"]';

await runBenchmark('console', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const url = await makeRepository(join(folder, 'log-burst'), LOG_BURST_APP);
  const longshore = await startLongshore(join(folder, 'data'), scope);
  const browser = await launchBrowser();
  scope.defer(() => browser.close());
  const context = await browser.newContext();
  const page = await context.newPage();
  await signUpInPage(page, longshore.url, 'ada@example.com');
  const app = await deploy(page, url);
  scope.defer(() => remove(page));
  return [
    ...(await measureFirstViews(browser, page, longshore, app.path)),
    ...(await measureLogs(page, longshore, app)),
    await measureHourOfLines(await context.newPage(), longshore, app),
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
  await page.getByLabel('Application Name').fill('log-burst');
  await page.getByLabel('Port', { exact: true }).fill('3000');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.waitForURL(/\/apps\/[0-9a-f-]{36}$/);
  await page.locator('[data-status="Ready"]').first().waitFor({ timeout: 60_000 });
  const path = new URL(page.url()).pathname;
  return { path, id: path.split('/').at(-1) ?? '', name: 'log-burst' };
}

/** Apps outlive the server, so they are deleted before it stops. */
async function remove(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/);
}

/** First views with a slow CPU and an empty cache, compared with a page without scripts. */
async function measureFirstViews(
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
    await throttle(page, CPU_SLOWDOWN);
    await page.goto(`${url}${path}`);
    await page.getByRole('heading').first().waitFor();
    await delay(SETTLE_MS);
    const metrics = await mainThreadMetrics(page);
    await context.close();
    return metrics;
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
        name: `${name}: largest contentful paint, CPU ${CPU_SLOWDOWN} times slower`,
        unit: 'ms',
        value: lcp,
        baseline,
      },
      { name: `${name}: layout shift, in thousandths`, unit: '‰', value: shifts * 1000, budget: 0 },
    );
  }
  return measurements;
}

async function measureLogs(page: Page, longshore: Longshore, app: App): Promise<Measurement[]> {
  await watchMainThread(page);
  await page.goto(`${longshore.url}${app.path}`);
  await page.locator(LOG).waitFor();
  await printLines(longshore, app, { lines: LINES });
  await waitForLine(page, await printLines(longshore, app, { lines: 1 }));
  const frames = await scrollFrames(page, LOG, SCROLL_FRAMES);
  await page.getByRole('button', { name: 'Jump to latest' }).click();

  await resetLongestTask(page);
  await printLines(longshore, app, {
    lines: LINES_PER_SECOND * RATE_SECONDS,
    rate: LINES_PER_SECOND,
  });
  const { longest } = await mainThreadMetrics(page);
  return [
    {
      name: `frame time while scrolling ${LINES} lines, p95`,
      unit: 'ms',
      value: percentile(frames, 0.95),
      budget: FRAME_MS,
    },
    {
      name: `longest task at ${LINES_PER_SECOND} lines per second`,
      unit: 'ms',
      value: longest,
      budget: LONG_TASK_MS,
    },
  ];
}

/** Prints the lines of an hour in half a minute: measures growth per line, not growth over time. */
async function measureHourOfLines(
  page: Page,
  longshore: Longshore,
  app: App,
): Promise<Measurement> {
  await page.goto(`${longshore.url}${app.path}`);
  await page.locator(LOG).waitFor();
  await printLines(longshore, app, { lines: LINES });
  await waitForLine(page, await printLines(longshore, app, { lines: 1 }));
  const before = await heapBytes(page);
  let peak = 0;
  for (let quarter = 0; quarter < 4; quarter += 1) {
    await printLines(longshore, app, { lines: HOURLY_LINES / 4 });
    await waitForLine(page, await printLines(longshore, app, { lines: 1 }));
    peak = Math.max(peak, await heapBytes(page));
  }
  return {
    name: `peak memory during ${HOURLY_LINES} lines, an hour of 100 per second`,
    unit: 'MB',
    value: peak / MB,
    budget: MAX_HOUR_MB,
    baseline: { name: `before, with ${LINES} lines`, value: before / MB },
  };
}
