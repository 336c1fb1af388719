import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import type { BrowserContext } from 'playwright-core';
import { signUp } from '../e2e/pages/sign-up-page.ts';
import { launchBrowser } from '../e2e/support/browser.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { startLongshore } from './support/longshore.ts';
import type { Measurement } from './support/measurement.ts';
import { reactBytes } from './support/react-baseline.ts';
import { countScripts } from './support/script-bytes.ts';

const BUDGET_KB = 100;
const KB = 1_000;

await runBenchmark('page', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const baseline = {
    name: 'React with one paragraph',
    value: (await reactBytes(folder)) / KB,
  };
  const longshore = await startLongshore(join(folder, 'data'), scope);
  const browser = await launchBrowser();
  scope.defer(() => browser.close());

  const signedOutContext = await browser.newContext();
  const login = await view(
    signedOutContext,
    longshore.url,
    ROUTES.login,
    'scripts of the sign-in page',
  );
  const page = await signedOutContext.newPage();
  await signUp(page, longshore.url, 'ada@example.com');
  // Only the session is kept: the first view has an empty browser cache.
  const signedInContext = await browser.newContext({
    storageState: await signedOutContext.storageState(),
  });
  await signedOutContext.close();
  const dashboard = await view(
    signedInContext,
    longshore.url,
    ROUTES.dashboard,
    'scripts of the first dashboard view',
  );
  return [
    { ...login, baseline, budget: BUDGET_KB },
    { ...dashboard, baseline },
  ];
});

/** Everything loaded until the page is idle; a redirect is an error. */
async function view(
  context: BrowserContext,
  url: string,
  path: string,
  what: string,
): Promise<Measurement> {
  const page = await context.newPage();
  const scripts = countScripts(page);
  await page.goto(`${url}${path}`, { waitUntil: 'networkidle' });
  await page.getByRole('heading').first().waitFor();
  await page.waitForLoadState('networkidle');
  if (!new URL(page.url()).pathname.startsWith(path))
    throw new Error(`Redirected to ${page.url()}`);
  const { files, bytes } = await scripts.total();
  await page.close();
  return { name: `${what} (${files}), gzipped`, unit: 'kB', value: bytes / KB };
}
