import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import type { Page } from 'playwright-core';
import { signInAs } from '../e2e/pages/login-page.ts';
import { signUp } from '../e2e/support/account.ts';
import { launchBrowser } from '../e2e/support/browser.ts';
import { makeRepository } from '../e2e/support/repository.ts';
import { waitFor } from '../e2e/support/wait-for.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { LOG_BURST_APP, printLines, waitForLine } from './support/log-burst-app.ts';
import { startLongshore } from './support/longshore.ts';
import { heapBytes } from './support/main-thread.ts';
import type { Measurement } from './support/measurement.ts';
import { type ScrollResult, scrollByFrames, scrollTo } from './support/scrolling.ts';
import { percentile } from './support/statistics.ts';

const LINES = 1_000_000;
const PRINTED_AT_ONCE = 100_000;
const FRAMES = 300;
/** Fast scrolling with a wheel or a finger: 24 lines per frame. */
const STEP_PX = 480;
const FRAME_MS = 1000 / 60;
const LONG_TASK_MS = 50;
/** The frame rate of an empty page, less what a busy machine varies. */
const MIN_RATIO = 0.9;
const MB = 1_000_000;
const LOG = '[role="log"]';
const EMAIL = 'ada@example.com';
/** Scrolls as far as the log, but contains nothing. */
const EMPTY_PAGE =
  'data:text/html,<div role=log style="height:500px;overflow:auto"><div style="height:8000000px"></div></div>';

await runBenchmark('log-scroll', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const longshore = await startLongshore(join(folder, 'data'), scope);
  const browser = await launchBrowser();
  scope.defer(() => browser.close());
  const account = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(folder, 'log-burst'), LOG_BURST_APP);
  const projectId = await account.createProject('Harbour');
  const app = {
    id: await account.deploy({ name: 'log-burst', url }, projectId),
    name: 'log-burst',
  };
  scope.defer(() => account.delete(app.id));
  await waitFor(async () => (await account.app(app.id)).status === 'synced', 60_000);

  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, app.id)}/logs`);
  await page.locator(LOG).waitFor();
  const before = await heapBytes(page);
  for (let printed = 0; printed < LINES; printed += PRINTED_AT_ONCE) {
    await waitForLine(page, await printLines(longshore, app, { lines: PRINTED_AT_ONCE }));
  }
  const heap = await heapBytes(page);
  const empty = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await empty.goto(EMPTY_PAGE);
  return [
    ...(await compare('scrolling', { page, empty }, (target) =>
      scrollByFrames(target, LOG, { frames: FRAMES, stepPx: -STEP_PX }),
    )),
    ...(await compare('dragging the scroll bar', { page, empty }, (target) =>
      scrollTo(target, LOG, FRAMES),
    )),
    {
      name: `memory of ${LINES} lines`,
      unit: 'MB',
      value: (heap - before) / MB,
    },
  ];
});

/** The same movement in the log and on an empty page, one after the other. */
async function compare(
  movement: string,
  { page, empty }: { page: Page; empty: Page },
  scroll: (page: Page) => Promise<ScrollResult>,
): Promise<Measurement[]> {
  await empty.bringToFront();
  const baseline = await scroll(empty);
  await page.bringToFront();
  const measured = await scroll(page);
  const name = `${movement} through ${LINES} lines`;
  return [
    {
      name: `${name}: frames`,
      unit: '/s',
      value: measured.framesPerSecond,
      baseline: { name: 'an empty page', value: baseline.framesPerSecond },
      minRatio: MIN_RATIO,
    },
    {
      name: '  main thread per frame, p95',
      unit: 'ms',
      value: percentile(measured.workMs, 0.95),
      baseline: { name: 'an empty page', value: percentile(baseline.workMs, 0.95) },
      budget: FRAME_MS,
    },
    {
      name: '  processor time of the main thread per frame',
      unit: 'ms',
      value: measured.taskCpuMs,
      baseline: { name: 'an empty page', value: baseline.taskCpuMs },
      budget: FRAME_MS,
    },
    { name: '    of that, scripts', unit: 'ms', value: measured.scriptCpuMs },
    {
      name: '  longest task',
      unit: 'ms',
      value: measured.longestTaskMs,
      baseline: { name: 'an empty page', value: baseline.longestTaskMs },
      budget: LONG_TASK_MS,
    },
  ];
}
