import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signUp as signUpInBrowser } from '../pages/sign-up-page.ts';
import { signUp } from '../support/account.ts';
import { watchErrors } from '../support/browser.ts';
import { requestApp } from '../support/request-app.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { plainLongshore } from '../support/shared-longshore.ts';
import { untilSynced } from '../support/until-synced.ts';

const GUIDE = join(import.meta.dirname, '../../docs/guide/02-first-app.md');

const browser = sharedBrowser();
const longshore = plainLongshore();

function appIdOf(page: Page): string {
  return page.url().split('/').at(-1) ?? '';
}

it('a new user deploys the sample app from the empty dashboard', async () => {
  const page = await (await browser.newContext()).newPage();
  const errors = watchErrors(page);
  await signUpInBrowser(page, longshore.url, 'ada@example.com');
  await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
  await page.getByRole('button', { name: 'Deploy sample app' }).click();
  await new AppPage(page).shows('Ready');
  const app = { id: appIdOf(page), name: 'sample' };
  expect(await requestApp(longshore, app)).toMatchObject({
    status: 200,
    body: expect.stringContaining('Your app is live'),
  });
  expect(await requestApp(longshore, app, '/health')).toEqual({ status: 200, body: 'ok\n' });
  await new AppPage(page).openTab('Deployments');
  await page.getByText(/^Uploaded source · /).waitFor();
  expect(errors).toEqual([]);
});

it('the command of the guide uploads a folder, and a hostile archive changes nothing', async () => {
  const account = await signUp(longshore.url, 'eve@example.com');
  const change = { source: { url: 'upload:' }, instances: 0 };
  const id = await account.deploy({ name: 'hello', change });
  const token = await newToken(account.session.accessToken);
  const code = join(longshore.folder, 'code');
  await mkdir(code);
  for (const [name, content] of Object.entries(HELLO_APP)) {
    await writeFile(join(code, name), content);
  }
  const guide = await readFile(GUIDE, 'utf8');
  const line = /^tar -cz .*$/m.exec(guide)?.[0] ?? '';
  const command = line.replace('http://localhost:1337', longshore.url).replace('<app id>', id);
  const run = async (text: string) => {
    const env = { PATH: process.env.PATH, LONGSHORE_TOKEN: token };
    // As a user runs it.
    const { stdout } = await promisify(execFile)('sh', ['-c', text], { cwd: code, env });
    return JSON.parse(stdout);
  };
  const { digest } = await run(command);
  await untilSynced(account, id);
  expect((await account.app(id)).values.source.url).toBe(`upload:${digest}`);
  const served = await requestApp(longshore, { id, name: 'hello' });
  expect(served.status).toBe(200);

  const hostile = command.replace('tar -cz .', 'tar -czP /etc/hostname');
  expect(await run(hostile)).toMatchObject({
    status: 400,
    message: '/etc/hostname has an absolute path. Nothing was changed.',
  });
  expect(await account.app(id)).toMatchObject({
    status: 'synced',
    values: { source: { url: `upload:${digest}` } },
  });
  expect(await requestApp(longshore, { id, name: 'hello' })).toEqual(served);
});

async function newToken(accessToken: string): Promise<string> {
  const response = await fetch(`${longshore.url}/v1/auth/pat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() }),
  });
  const { personalAccessToken } = (await response.json()) as { personalAccessToken: string };
  return personalAccessToken;
}
