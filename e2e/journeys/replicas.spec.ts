import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { autoDomain, ROUTES } from '@longshore/contract';
import { startSteadyLoad } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { makeRepository } from '../support/repository.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { plainLongshore } from '../support/shared-longshore.ts';

const EMAIL = 'ada@example.com';
const INSTANCES = 3;
const KILLS = 8;
const POLL_MS = 50;
const PER_SECOND = 50;
const browser = sharedBrowser();
const longshore = plainLongshore();

/** Says who it is, and kills itself when it is told to. */
const MORTAL_APP = {
  'package.json': JSON.stringify({ private: true, scripts: { start: 'node server.js' } }),
  'server.js': `
    const id = require('node:crypto').randomUUID();
    require('node:http')
      .createServer((request, response) => {
        if (request.method === 'POST') process.kill(process.pid, 'SIGKILL');
        else response.end(request.url === '/id' ? id : 'Ahoy');
      })
      .listen(process.env.PORT);
  `,
};

it('scales an app in its settings, and loses no GET or HEAD while its instances are killed', async () => {
  const ada = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(longshore.folder, 'mortal'), MORTAL_APP);
  const projectId = await ada.createProject('Harbour');
  const id = await ada.deploy({ name: 'mortal', url }, projectId);
  const page = await (await browser.newContext()).newPage();
  const errors = watchErrors(page);
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, id)}`);
  const app = new AppPage(page);
  await app.shows('Ready');
  const host = autoDomain({ id, name: 'mortal' }, 'localhost');
  const { ingressPort: port } = longshore;
  const methods = ['GET', 'HEAD'];
  const load = startSteadyLoad({ port, host, perSecond: PER_SECOND, methods });

  await app.openTab('Settings');
  await page.getByRole('textbox', { name: 'Instances' }).fill('3');
  await page.getByText('Changes: instances 1 → 3.').waitFor();
  await page.getByText('Starts or stops instances. Nothing restarts').waitFor();
  await picture(page, 'instances-in-settings');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. Instances start or stop, nothing restarts.').waitFor();
  await app.openTab('Overview');
  await app.showsText('3 of 3 instances running');
  await picture(page, 'instances-on-overview');

  const seen = new Set<string>();
  for (let count = 0; count < KILLS; count += 1) {
    await newInstances(host, count === 0 ? INSTANCES : 1, seen);
    expect((await send(host, 'POST')).status).toBe(502);
  }
  await app.showsText('3 of 3 instances running');
  await load.stop();
  expect([...load.results.keys()].sort()).toEqual(['200 ', '200 Ahoy']);
  expect(errors).toEqual([]);
});

/** Waits until so many instances answer that are not in `seen` yet, and adds them. */
async function newInstances(host: string, count: number, seen: Set<string>): Promise<void> {
  const expected = seen.size + count;
  while (seen.size < expected) {
    seen.add((await send(host, 'GET', '/id')).text);
    await delay(POLL_MS);
  }
}

async function send(host: string, method: string, path = '/') {
  const { ingressPort: port } = longshore;
  const sent = request({ host: '127.0.0.1', port, method, path, headers: { host }, agent: false });
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: await text(response) };
}
