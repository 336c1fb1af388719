import { join } from 'node:path';
import { type AppDomains, autoDomain, ROUTES, SERVICE_PATHS } from '@longshore/contract';
import { type DnsServer, startDnsServer } from '@longshore/server/testing/dns-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInAs } from '../pages/login-page.ts';
import { type Account, signUp } from '../support/account.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, type LongshoreOptions, startLongshore } from '../support/longshore.ts';
import { makeRepository } from '../support/repository.ts';
import { requestHost } from '../support/request-app.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { untilSynced } from '../support/until-synced.ts';

const DOMAIN = 'www.harbour.example';
const PROOF = `_longshore.${DOMAIN}` as const;
const EMAIL = 'ada@example.com';
const POLL = { timeout: 30_000 };

const browser = sharedBrowser();
let folder: TemporaryFolder;
let dns: DnsServer;
let options: LongshoreOptions;
let longshore: Longshore;

beforeAll(async () => {
  folder = await temporaryFolder();
  dns = await startDnsServer();
  options = {
    dataDir: await newDataDir(folder.path),
    port: await freePort(),
    ingressPort: await freePort(),
    env: { LONGSHORE_DNS_SERVERS: dns.address },
  };
  longshore = await startLongshore(options);
});

afterAll(async () => {
  expect(await longshore?.stop()).toBe(0);
  await dns?.close();
  await folder?.remove();
});

const statusCode = async () => (await requestHost(longshore, DOMAIN)).status;

/** The domain as another account sees it after a check. */
async function check({ session }: Account, app: { projectId: string; appId: string }) {
  const response = await fetch(`${longshore.url}${SERVICE_PATHS.domains[0]}/check`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${session.accessToken}`,
    },
    body: JSON.stringify({ ...app, domain: DOMAIN }),
  });
  const { token, domains } = (await response.json()) as AppDomains;
  return { token, state: domains[0]?.state };
}

async function openApp(projectId: string, appId: string): Promise<Page> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, appId)}/domains`);
  return page;
}

it('serves a domain once DNS proves it, and another account gets it only by its own proof', async () => {
  const ada = await signUp(longshore.url, EMAIL);
  const eve = await signUp(longshore.url, 'eve@example.com');
  const url = await makeRepository(join(folder.path, 'site'), { 'index.html': 'Ahoy' });
  const projectId = await ada.createProject('Harbour');
  const appId = await ada.deploy({ name: 'site', url }, projectId);
  await untilSynced(ada, appId);

  const page = await openApp(projectId, appId);
  const errors = watchErrors(page);
  await page.getByLabel('Add a domain').fill('WWW.Harbour.example.');
  await page.getByRole('button', { name: 'Add domain' }).click();
  const domain = page.getByRole('listitem', { name: DOMAIN });
  await domain.getByText('Not verified yet').waitFor();
  expect(await statusCode()).toBe(404);
  await domain.getByRole('button', { name: `Copy value of the TXT record of ${DOMAIN}` }).click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  await picture(page, 'domain-unproved');

  // An A record brings visitors, but proves nothing here: there are two accounts.
  dns.set(`A ${DOMAIN}`, '127.0.0.1');
  dns.set(`TXT ${PROOF}`, 'something else');
  const checkAgain = domain.getByRole('button', { name: `Check ${DOMAIN} again` });
  await checkAgain.click();
  await domain.getByText('something else').waitFor();
  expect(await statusCode()).toBe(404);
  dns.set(`TXT ${PROOF}`, 'something else', [token.slice(0, 9), token.slice(9)]);
  await checkAgain.click();
  await domain.getByText('Verified', { exact: true }).waitFor();
  await expect.poll(statusCode, POLL).toBe(200);
  await picture(page, 'domain-proved');
  expect(errors).toEqual([]);

  // Eve claims it, with the weaker record, while the name servers of the stronger one fail; then the server restarts.
  const evesProject = await eve.createProject('Wreck');
  const change = { publicAccess: { domains: [DOMAIN] }, instances: 0 };
  const evesApp = await eve.deploy({ name: 'wreck', url, change }, evesProject);
  const eves = { projectId: evesProject, appId: evesApp };
  dns.fail(`TXT ${PROOF}`, 'SERVFAIL');
  dns.set(`CNAME ${DOMAIN}`, autoDomain({ id: evesApp, name: 'wreck' }, 'localhost'));
  const { token: evesToken, state } = await check(eve, eves);
  expect(state).toBe('taken');
  await longshore.stop();
  longshore = await startLongshore(options);
  await expect.poll(statusCode, POLL).toBe(200);
  expect((await check(eve, eves)).state).toBe('taken');
  expect((await requestHost(longshore, DOMAIN)).body).toBe('Ahoy');

  // The domain is sold: its TXT record names Eve.
  dns.fail(`TXT ${PROOF}`, undefined);
  dns.set(`TXT ${PROOF}`, evesToken);
  expect((await check(eve, eves)).state).toBe('proved');
  await expect.poll(statusCode, POLL).toBe(503);
  await checkAgain.click();
  await domain.getByText('Taken', { exact: true }).waitFor();
  expect(await page.content()).not.toContain('eve@example.com');
  await domain.getByRole('button', { name: `Remove ${DOMAIN}` }).click();
  await page.getByRole('button', { name: 'Remove domain' }).click();
  const stored = async () => (await ada.app(appId)).values.publicAccess.domains;
  await expect.poll(stored, POLL).toBeUndefined();
  await domain.waitFor({ state: 'detached' });
});
