import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import type { Browser, Page } from 'playwright-core';
import { signInAs } from '../e2e/pages/login-page.ts';
import { type Account, signUp } from '../e2e/support/account.ts';
import { launchBrowser } from '../e2e/support/browser.ts';
import { makeRepository } from '../e2e/support/repository.ts';
import { waitFor } from '../e2e/support/wait-for.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { arrivalOf, latencyOf, watchInteractions } from './support/interactions.ts';
import { LOG_BURST_APP, printLines, waitForLine } from './support/log-burst-app.ts';
import { type Longshore, startLongshore } from './support/longshore.ts';
import { throttle } from './support/main-thread.ts';
import type { Measurement } from './support/measurement.ts';
import { median, percentile } from './support/statistics.ts';

/** Like a cheap phone. */
const CPU_SLOWDOWN = 4;
/** Interaction to Next Paint up to this time is rated "good". */
const GOOD_MS = 200;
const ROUNDS = 20;
const [P75, P95] = [0.75, 0.95];
const MANY = 200;
const CONCURRENCY = 10;
const LINES = 99_000;
const EMAIL = 'ada@example.com';
const BASELINE = 'data:text/html,<button onclick="this.textContent=Date.now()">0</button>';

/** A user action, and how to undo it before the next run. */
type Interaction = { act(page: Page): Promise<unknown>; undo?(page: Page): Promise<unknown> };

await runBenchmark('interactions', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const longshore = await startLongshore(join(folder, 'data'), scope);
  const browser = await launchBrowser();
  scope.defer(() => browser.close());
  const account = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(folder, 'log-burst'), LOG_BURST_APP);
  const one = await account.createProject('One');
  const app = { id: await account.deploy({ name: 'log-burst', url }, one), name: 'log-burst' };
  scope.defer(() => account.delete(app.id));
  await createManyApps(account, url);
  await waitFor(async () => (await account.app(app.id)).status === 'synced', 60_000);

  const page = await openPage(browser);
  await throttle(page, CPU_SLOWDOWN);
  await page.goto(BASELINE);
  const baseline = percentile(await latencies(page, { act: () => page.click('button') }), P95);
  await signInAs(page, longshore.url, EMAIL);
  const measurements = [
    ...(await measureLargeLists(page)),
    ...(await measureWizard(page)),
    ...(await measureShell(page)),
    ...(await measureLogs(await openPage(browser), longshore, { ...app, projectId: one })),
  ];
  return measurements.map((it) => ({
    baseline: { name: 'a button on an empty page', value: baseline },
    ...it,
  }));
});

/** Creates `MANY` projects, and one project with as many hibernated apps. */
async function createManyApps(account: Account, url: string): Promise<void> {
  const many = await account.createProject('Many');
  for (let from = 0; from < MANY; from += CONCURRENCY) {
    const numbers = Array.from({ length: CONCURRENCY }, (_, index) => from + index);
    await Promise.all(numbers.map((number) => account.createProject(`Harbour ${number}`)));
    await Promise.all(
      numbers.map((number) =>
        account.deploy({ name: `inventory-${number}`, url, change: { instances: 0 } }, many),
      ),
    );
  }
}

async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await watchInteractions(page);
  return page;
}

/** Ends in the project with many apps. */
async function measureLargeLists(page: Page): Promise<Measurement[]> {
  const back = () => page.getByRole('link', { name: 'Projects', exact: true }).first().click();
  const open = (name: string) => () => page.getByRole('link', { name, exact: true }).click();
  const opened = await latencies(page, { act: open('Many'), undo: back });
  const few = await arrivals(page, 'One', { act: open('One'), undo: back });
  const many = await arrivals(page, 'Many', { act: open('Many'), undo: back });
  const projects = await latencies(page, search('Search projects', '9'));
  await open('Many')();
  const apps = await latencies(page, search('Search applications', '9'));
  const menu = await latencies(page, {
    act: () => page.getByRole('button', { name: 'Actions for Many' }).click(),
    undo: () => page.keyboard.press('Escape'),
  });
  return [
    ...latencyRows('open a project with 200 apps', opened),
    {
      name: '  until its cards are rendered, median',
      unit: 'ms',
      value: median(many),
      baseline: { name: 'with one app', value: median(few) },
    },
    ...latencyRows('type in the search of 200 projects', projects),
    ...latencyRows('type in the search of 200 apps', apps),
    ...latencyRows('open a menu', menu),
  ];
}

/** Types a letter and deletes it: the first empties the list, the second fills it again. */
function search(label: string, letter: string): Interaction {
  return {
    async act(page) {
      await page.getByLabel(label).press(letter);
      await page.getByLabel(label).press('Backspace');
    },
  };
}

async function measureWizard(page: Page): Promise<Measurement[]> {
  const open = () => page.getByRole('button', { name: 'Deploy App' }).first().click();
  const close = () => page.keyboard.press('Escape');
  const opened = await latencies(page, { act: open, undo: close });
  await open();
  await page.getByRole('button', { name: 'Manual deployment' }).click();
  const typed = await latencies(page, { act: () => page.getByLabel('Source URL').press('a') });
  await close();
  return [
    ...latencyRows('open the deploy dialog', opened),
    ...latencyRows('type in a field of the wizard', typed),
  ];
}

async function measureShell(page: Page): Promise<Measurement[]> {
  const open = () => page.keyboard.press('Control+k');
  const close = () => page.keyboard.press('Escape');
  const opened = await latencies(page, { act: open, undo: close });
  await open();
  const typed = await latencies(page, {
    act: () => page.keyboard.press('i'),
    undo: () => page.keyboard.press('Backspace'),
  });
  await close();
  const theme = await latencies(page, {
    act: () => page.getByRole('button', { name: /^(Dark|Light) theme$/ }).click(),
  });
  return [
    ...latencyRows('open the command palette of 400 entries', opened),
    ...latencyRows('type in the command palette', typed),
    ...latencyRows('switch the theme', theme),
  ];
}

type App = { projectId: string; id: string; name: string };

async function measureLogs(page: Page, longshore: Longshore, app: App): Promise<Measurement[]> {
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.app(app.projectId, app.id)}/logs`);
  await page.getByRole('log').waitFor();
  await printLines(longshore, app, { lines: LINES });
  await waitForLine(page, await printLines(longshore, app, { lines: 1 }));
  await throttle(page, CPU_SLOWDOWN);
  const choose = (name: string) => () => page.getByRole('radio', { name, exact: true }).click();
  const filter = await latencies(page, { act: choose('App'), undo: choose('All') });
  const typed = await latencies(page, search('Search logs', '7'));
  return [
    ...latencyRows(`filter ${LINES} log lines`, filter),
    ...latencyRows(`type in the search of ${LINES} log lines`, typed),
  ];
}

async function latencies(page: Page, { act, undo }: Interaction): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(await latencyOf(page, () => act(page)));
    await undo?.(page);
  }
  return times;
}

/** The time until the page with this heading was rendered, for each run. */
async function arrivals(page: Page, heading: string, { act, undo }: Interaction) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS / 2; round += 1) {
    times.push(await arrivalOf(page, heading, () => act(page)));
    await undo?.(page);
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  }
  return times;
}

function latencyRows(name: string, times: number[]): Measurement[] {
  return [
    { name: `${name}, p75`, unit: 'ms', value: percentile(times, P75), budget: GOOD_MS },
    { name: `${name}, p95`, unit: 'ms', value: percentile(times, P95), budget: GOOD_MS },
  ];
}
