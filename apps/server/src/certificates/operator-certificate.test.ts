import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulatedClock } from '@longshore/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasOpenssl, selfSigned } from '../../test/certificates/self-signed.ts';
import { checkCertificate, openOperatorCertificate } from './operator-certificate.ts';

type Pair = Awaited<ReturnType<typeof selfSigned>>;

let wildcard: Pair;
let renewed: Pair;
let folder = '';

beforeAll(async () => {
  if (!hasOpenssl) return;
  [wildcard, renewed] = await Promise.all([
    selfSigned(['*.apps.example.com', 'Apps.example.com']),
    selfSigned(['*.apps.example.com']),
  ]);
  folder = await mkdtemp(join(tmpdir(), 'longshore-tls-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const files = () => ({ certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') });

async function write({ cert, key }: Partial<Pair>): Promise<void> {
  const { certFile, keyFile } = files();
  if (cert !== undefined) await writeFile(certFile, cert);
  if (key !== undefined) await writeFile(keyFile, key);
}

const BROKEN = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const tooLong = () => wildcard.cert.repeat(Math.ceil(262_144 / wildcard.cert.length) + 1);

describe.skipIf(!hasOpenssl)('checkCertificate', () => {
  const check = (change: Partial<Pair>, now = Date.now()) => {
    const { cert, key } = { ...wildcard, ...change };
    return checkCertificate({ chain: cert, key }, now);
  };

  it('reads the names of a usable certificate', () => {
    expect(check({})).toMatchObject({
      kind: 'usable',
      names: ['*.apps.example.com', 'apps.example.com'],
    });
  });

  it('uses nothing else that is in the files', () => {
    const { cert, key } = wildcard;
    const all = `bag attributes \0\n${cert}${key}`;
    expect(check({ cert: all, key: all })).toMatchObject({ kind: 'usable', chain: cert, key });
  });

  it('refuses a key that TLS does not accept', async () => {
    const weak = await selfSigned(['a.example.com'], { key: ['rsa:512'] });
    expect(check(weak)).toMatchObject({ problem: expect.stringMatching(/too weak/) });
  });

  it.each<[string, () => ReturnType<typeof check>, RegExp]>([
    ['is empty', () => check({ cert: '' }), /no certificate in PEM format/],
    ['is half-written', () => check({ cert: wildcard.cert.slice(0, 200) }), /no certificate/],
    ['has a broken chain', () => check({ cert: `${wildcard.cert}${BROKEN}` }), /invalid/],
    ['has a chain that is too long', () => check({ cert: tooLong() }), /more than 256 KiB/],
    ['has expired', () => check({}, Date.now() + 31 * 86_400_000), /expired on \d{4}-\d\d-\d\d/],
    ['has no key', () => check({ key: 'key' }), /no private key/],
    ['has another key', () => check({ key: renewed.key }), /is not the key of the certificate/],
  ])('refuses one that %s', (_, checked, problem) => {
    expect(checked()).toMatchObject({ problem: expect.stringMatching(problem) });
  });
});

describe.skipIf(!hasOpenssl)('openOperatorCertificate', () => {
  beforeEach(() => write(wildcard));

  async function open() {
    const clock = createSimulatedClock(Date.now());
    const warnings: string[] = [];
    let changes = 0;
    const opened = await openOperatorCertificate(files(), {
      clock,
      changed: () => {
        changes += 1;
      },
      warn: (text) => void warnings.push(text),
    });
    /** Until the next read of the files has ended. */
    const tick = async () => {
      await clock.advance(5_000);
      await expect.poll(() => clock.pending()).toBe(1);
    };
    return { ...opened, warnings, tick, changes: () => changes };
  }

  it('reloads the certificate when the files change', async () => {
    const opened = await open();
    await opened.tick();
    expect(opened.changes()).toBe(0);
    await write(renewed);
    await opened.tick();
    expect(opened.changes()).toBe(1);
    expect(opened.current()).toMatchObject({ chain: renewed.cert, names: ['*.apps.example.com'] });
    expect(opened.warnings).toEqual([]);
    await opened.stop();
  });

  it('keeps the former one, and reports once, while the files do not fit', async () => {
    const opened = await open();
    await write({ cert: renewed.cert });
    await opened.tick();
    expect(opened.warnings).toEqual([]);
    for (let ticks = 0; ticks < 3; ticks += 1) await opened.tick();
    expect(opened.warnings).toEqual([
      `LONGSHORE_TLS_KEY: ${files().keyFile} is not the key of the certificate in LONGSHORE_TLS_CERT. The former certificate stays in use.`,
    ]);
    expect(opened.current().chain).toBe(wildcard.cert);
    await rm(files().keyFile);
    await opened.tick();
    await opened.tick();
    expect(opened.warnings[1]).toContain(`cannot read ${files().keyFile} (ENOENT)`);
    await write(renewed);
    await opened.tick();
    expect(opened.current().chain).toBe(renewed.cert);
    await opened.stop();
  });

  it('refuses to start with files that cannot be used, and names the file', async () => {
    await write({ cert: 'no certificate' });
    await expect(open()).rejects.toThrow(
      `LONGSHORE_TLS_CERT: ${files().certFile} contains no certificate in PEM format.`,
    );
    await write(wildcard);
    await rm(files().keyFile);
    await expect(open()).rejects.toThrow(`LONGSHORE_TLS_KEY: cannot read ${files().keyFile}`);
  });
});
