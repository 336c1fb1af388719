import { createHash, X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createCertificate } from '@longshore/edge/testing/certificates';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProject } from '../pages/projects-page.ts';
import { fillSignUp } from '../pages/sign-up-page.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, type LongshoreOptions, startLongshore } from '../support/longshore.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { plugInSecurityKey } from '../support/virtual-authenticator.ts';

const HOST = 'console.harbour.test';
const certificate = createCertificate([HOST]);

// A certificate that the browser does not accept would disable passkeys.
const browser = sharedBrowser([
  `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
  `--ignore-certificate-errors-spki-list=${publicKeyHash(certificate.chain)}`,
]);
let folder: TemporaryFolder;
let options: LongshoreOptions;
let longshore: Longshore;

function publicKeyHash(chain: string): string {
  const { publicKey } = new X509Certificate(chain);
  const key = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

beforeAll(async () => {
  folder = await temporaryFolder();
  const httpsPort = String(await freePort());
  const [LONGSHORE_TLS_CERT, LONGSHORE_TLS_KEY] = ['cert.pem', 'key.pem'].map((name) =>
    join(folder.path, name),
  ) as [string, string];
  await writeFile(LONGSHORE_TLS_CERT, certificate.chain);
  await writeFile(LONGSHORE_TLS_KEY, certificate.key);
  options = {
    dataDir: await newDataDir(folder.path),
    port: await freePort(),
    ingressPort: await freePort(),
    env: {
      LONGSHORE_HOST: '127.0.0.1',
      LONGSHORE_PUBLIC_URL: `https://${HOST}:${httpsPort}`,
      LONGSHORE_HTTPS_PORT: httpsPort,
      LONGSHORE_HSTS: 'true',
      LONGSHORE_TLS_CERT,
      LONGSHORE_TLS_KEY,
    },
  };
  longshore = await startLongshore(options);
});

afterAll(async () => {
  expect(await longshore?.stop()).toBe(0);
  await folder?.remove();
});

async function signUpFirst(page: Page): Promise<void> {
  const [, code = ''] = /set-up code (\S{14})/.exec(longshore.output()) ?? [];
  await page.goto(`${longshore.url}/signup`);
  await fillSignUp(page, 'ada@example.com');
  await page.getByLabel('Set-up code').fill(code);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.waitForURL(`${longshore.url}/dashboard`);
}

/** The redirect that the edge sends for a URL with `http://`. */
function redirectOf(path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const { ingressPort: port } = options;
    request({ port, path, headers: { host: HOST }, agent: false }, (response) => {
      response.resume();
      resolve(response.headers.location);
    })
      .on('error', reject)
      .end();
  });
}

it('a user works with the console over HTTPS: sign-up, passkey, live changes', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors = watchErrors(page);
  const protocols = new Set<string>();
  page.on('websocket', (socket) => protocols.add(new URL(socket.url()).protocol));
  await signUpFirst(page);
  await plugInSecurityKey(page);

  await page.goto(`${longshore.url}/dashboard/user/security`);
  await page.getByText('This browser').waitFor();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name').fill('Signet ring');
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('button', { name: 'Remove Signet ring' }).waitFor();
  await picture(page, 'console-https');
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.waitForURL(`${longshore.url}/login`);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL(`${longshore.url}/dashboard`);

  const other = await context.newPage();
  await other.goto(`${longshore.url}/dashboard`);
  await createProject(other, 'Harbour');
  await page.getByText('Harbour').first().waitFor();
  expect([...protocols]).toEqual(['wss:']);

  const response = await page.goto(`${longshore.url}/dashboard`);
  expect(await response?.headerValue('strict-transport-security')).toMatch(/^max-age=\d+/);
  expect(await redirectOf('/login?next=%2F')).toBe(`${longshore.url}/login?next=%2F`);
  expect(errors).toEqual([]);
});

it('works again after the server was killed and started', async () => {
  await longshore.kill();
  longshore = await startLongshore(options);
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${longshore.url}/login`);
  await page.getByRole('button', { name: 'Sign In' }).waitFor();
});
