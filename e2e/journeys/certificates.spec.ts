import { writeFile } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { type AppDomains, ROUTES, SERVICE_PATHS } from '@longshore/contract';
import { type DnsServer, startDnsServer } from '@longshore/server/testing/dns-server';
import { hasPebble, type Pebble, startPebble } from '@longshore/server/testing/pebble';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInAs } from '../pages/login-page.ts';
import { type Account, signUp } from '../support/account.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, type LongshoreOptions, startLongshore } from '../support/longshore.ts';
import { makeRepository } from '../support/repository.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { untilSynced } from '../support/until-synced.ts';

const DOMAIN = 'www.longshore-harbour.com';
const ELSEWHERE = 'old.longshore-harbour.com';
/** Certificate authorities use port 80, so the server has an address of its own. */
const ADDRESS = `127.${100 + (process.pid % 100)}.${(process.pid >> 8) % 256}.80`;
const EMAIL = 'ada@example.com';
const POLL = { timeout: 60_000 };
/** Compiles Pebble if no other test has done so. */
const SETUP_MS = 400_000;

const browser = sharedBrowser();
let folder: TemporaryFolder;
let dns: DnsServer;
let pebble: Pebble;
let options: LongshoreOptions;
let longshore: Longshore;
let httpsPort: number;

type Answer = { status: number; location: string | undefined; body: string };

/** What a visitor gets who trusts the authority. */
async function visit(scheme: 'http' | 'https', ca = ''): Promise<Answer> {
  const send = scheme === 'https' ? requestHttps : requestHttp;
  const port = scheme === 'https' ? httpsPort : 80;
  const tls = scheme === 'https' ? { ca, servername: DOMAIN } : {};
  return await new Promise((resolve, reject) => {
    send({ host: ADDRESS, port, headers: { host: DOMAIN }, agent: false, ...tls }, (response) => {
      void response.toArray().then((chunks) =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location,
          body: chunks.join(''),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe.skipIf(!hasPebble || process.getuid?.() !== 0)('with a certificate authority', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    dns = await startDnsServer();
    pebble = await startPebble({ httpPort: 80, dnsServer: dns.address, nonceRejections: 20 });
    const caFile = join(folder.path, 'ca.pem');
    await writeFile(caFile, pebble.ca);
    httpsPort = await freePort();
    const port = await freePort();
    options = {
      dataDir: await newDataDir(folder.path),
      port,
      ingressPort: 80,
      env: {
        LONGSHORE_HOST: ADDRESS,
        LONGSHORE_PUBLIC_URL: `http://${ADDRESS}:${port}`,
        LONGSHORE_PUBLIC_IP: ADDRESS,
        LONGSHORE_DNS_SERVERS: dns.address,
        LONGSHORE_HTTPS_PORT: String(httpsPort),
        LONGSHORE_ACME_EMAIL: 'ops@longshore-harbour.com',
        LONGSHORE_ACME_DIRECTORY: pebble.directory,
        LONGSHORE_ACME_CA_FILE: caFile,
      },
    };
    longshore = await startLongshore(options);
  }, SETUP_MS);

  afterAll(async () => {
    expect(await longshore?.stop()).toBe(0);
    await pebble?.stop();
    await dns?.close();
    await folder?.remove();
  });

  async function tokenOf(ada: Account, app: { projectId: string; appId: string }) {
    const response = await fetch(`${longshore.url}${SERVICE_PATHS.domains[0]}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${ada.session.accessToken}`,
      },
      body: JSON.stringify(app),
    });
    return ((await response.json()) as AppDomains).token;
  }

  it('serves a verified domain over HTTPS, also while no server runs', async () => {
    const ada = await signUp(longshore.url, EMAIL);
    const url = await makeRepository(join(folder.path, 'site'), { 'index.html': 'Ahoy' });
    const projectId = await ada.createProject('Harbour');
    const domains = [DOMAIN, ELSEWHERE];
    const change = { publicAccess: { domains } };
    const appId = await ada.deploy({ name: 'site', url, change }, projectId);
    await untilSynced(ada, appId);
    const page = await (await browser.newContext()).newPage();
    const errors = watchErrors(page);
    await signInAs(page, longshore.url, EMAIL);
    await page.goto(`${longshore.url}${ROUTES.app(projectId, appId)}/domains`);
    const [item, other] = domains.map((name) => page.getByRole('listitem', { name }));

    dns.set(`A ${DOMAIN}`, ADDRESS);
    dns.set(`TXT _longshore.${ELSEWHERE}`, await tokenOf(ada, { projectId, appId }));
    dns.set(`A ${ELSEWHERE}`, '192.168.7.7');
    await item?.getByRole('button', { name: `Check ${DOMAIN} again` }).click();
    await other?.getByRole('button', { name: `Check ${ELSEWHERE} again` }).click();
    await item?.getByText('Certificate valid').waitFor(POLL);
    await other?.getByText('Certificate failed').waitFor(POLL);
    await other?.getByText(/has an address of a private network/).waitFor();
    await picture(page, 'certificates');
    expect(await item?.getByRole('link').getAttribute('href')).toBe(
      `https://${DOMAIN}:${httpsPort}`,
    );
    expect(errors).toEqual([]);

    const root = await pebble.root();
    expect(await visit('https', root)).toMatchObject({ status: 200, body: 'Ahoy' });
    expect(await visit('http')).toMatchObject({
      status: 308,
      location: `https://${DOMAIN}:${httpsPort}/`,
    });
    await longshore.kill();
    expect(await visit('https', root)).toMatchObject({ status: 200, body: 'Ahoy' });
    longshore = await startLongshore(options);
    expect(await visit('https', root)).toMatchObject({ status: 200, body: 'Ahoy' });
    expect(pebble.output().match(/Issued certificate/gi)?.length).toBe(1);
  });
});
