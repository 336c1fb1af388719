import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import { expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { plainLongshore } from '../support/shared-longshore.ts';
import { untilSynced } from '../support/until-synced.ts';

const EMAIL = 'ada@example.com';
const TOKEN = 'the token of the scraper';
const REQUESTS = 20;
/** An idle server samples once a minute, and a minute is stored after its end. */
const MINUTES_MS = 240_000;
const browser = sharedBrowser();
const longshore = plainLongshore({ LONGSHORE_METRICS_TOKEN: TOKEN });

it(
  'shows what an app uses and serves, in the console and to Prometheus',
  async () => {
    const ada = await signUp(longshore.url, EMAIL);
    const url = await makeRepository(join(longshore.folder, 'hello'), HELLO_APP);
    const projectId = await ada.createProject('Harbour');
    const id = await ada.deploy({ name: 'hello', url }, projectId);
    await untilSynced(ada, id);
    for (let count = 0; count < REQUESTS; count += 1) {
      expect(await requestApp(longshore, { id, name: 'hello' })).toMatchObject({ status: 200 });
    }

    expect((await scrape()).status).toBe(401);
    expect((await scrape('wrong')).status).toBe(401);
    const sampleOf = async (name: string, labels: string) => {
      const text = await (await scrape(TOKEN)).text();
      const line = text
        .split('\n')
        .find((each) => each.startsWith(`${name}{app_id="${id}"${labels}}`));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    const poll = (name: string, labels = '') =>
      expect.poll(() => sampleOf(name, labels), { timeout: MINUTES_MS, interval: 1_000 });
    await poll('longshore_app_requests_total', ',class="2xx"').toBe(REQUESTS);
    await poll('longshore_app_memory_bytes').toBeGreaterThan(1_000_000);
    await poll('longshore_app_cpu_seconds_total').toBeGreaterThanOrEqual(0);

    const page = await (await browser.newContext()).newPage();
    const errors = watchErrors(page);
    await signInAs(page, longshore.url, EMAIL);
    await page.goto(`${longshore.url}${ROUTES.app(projectId, id)}`);
    const app = new AppPage(page);
    await app.openTab('Metrics');
    const requests = page.getByRole('figure', { name: 'Requests' });
    await requests.getByText(`${REQUESTS} in all`).waitFor({ timeout: MINUTES_MS });
    const memory = page.getByRole('figure', { name: 'Memory' });
    await memory.getByText('of 512 MiB now').waitFor({ timeout: MINUTES_MS });
    await memory.getByText('Release 1').waitFor();
    await page.locator('canvas').first().waitFor();
    await picture(page, 'metrics');
    await page.getByRole('link', { name: 'Overview' }).click();
    const usage = page.getByRole('region', { name: 'Usage' });
    await usage.getByText('of 512 MiB').waitFor();
    expect(errors).toEqual([]);
  },
  2 * MINUTES_MS,
);

function scrape(token?: string): Promise<Response> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(`${longshore.url}/metrics`, { headers });
}
