import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { autoDomain } from '@longshore/contract';
import { expect, it } from 'vitest';
import { signUp } from '../support/account.ts';
import { picture } from '../support/browser.ts';
import { makeRepository } from '../support/repository.ts';
import { SLOW_START_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { plainLongshore } from '../support/shared-longshore.ts';
import { letTideIn, newTide } from '../support/tide.ts';
import { untilSynced } from '../support/until-synced.ts';

const browser = sharedBrowser();
const longshore = plainLongshore();

/** Posts a form to an app and returns status and body. */
function sendForm(host: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: longshore.ingressPort, path: '/form' };
    request({ ...options, method: 'POST', headers: { host }, agent: false }, async (response) =>
      resolve(`${response.statusCode} ${await text(response)}`),
    )
      .on('error', reject)
      .end(body);
  });
}

it('requests wake a sleeping app, and none gets an error', async () => {
  // The app listens once this file exists. Each instance has its own.
  const tide = newTide();
  const account = await signUp(longshore.url, 'ada@example.com');
  const url = await makeRepository(join(longshore.folder, 'slow'), SLOW_START_APP);
  const deployment = { name: 'slow', url, env: { PUBLIC_TIDE: tide }, sleep: { afterMinutes: 60 } };
  const id = await account.deploy(deployment);
  await letTideIn(id, tide, 'instance');
  await untilSynced(account, id);
  // Instances that are not isolated share it.
  await rm(tide, { force: true });
  await account.hibernate(id);
  await untilSynced(account, id);

  const host = `${autoDomain({ id, name: 'slow' }, 'localhost')}:${longshore.ingressPort}`;
  const page = await (await browser.newContext()).newPage();
  const navigations: string[] = [];
  page.on('request', (sent) => sent.isNavigationRequest() && navigations.push(sent.url()));
  const form = sendForm(host, 'a form that was not lost');
  const first = await page.goto(`http://${host}/shop?basket=1`);
  expect(first?.status()).toBe(503);
  expect(await page.textContent('h1')).toBe('This app is starting.');
  await picture(page, 'waiting-page');
  await expect.poll(() => navigations.length, { timeout: 30_000 }).toBe(2);

  await letTideIn(id, tide, 'instance');
  await page.getByRole('heading', { name: 'Ahoy' }).waitFor();
  expect(await page.textContent('body')).toContain('/shop?basket=1');
  expect(navigations).toEqual(Array(2).fill(`http://${host}/shop?basket=1`));
  expect(await form).toBe('200 <!doctype html><h1>Ahoy</h1>/form a form that was not lost');
  await untilSynced(account, id);
  expect((await account.app(id)).values.instances).toBe(1);
  await account.delete(id);
});
