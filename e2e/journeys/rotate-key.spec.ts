import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authenticator } from '../support/authenticator.ts';
import { freePort } from '../support/free-port.ts';
import { type LongshoreOptions, ROOT, runLongshore, startLongshore } from '../support/longshore.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

let folder: TemporaryFolder;
let options: LongshoreOptions;
beforeAll(async () => {
  folder = await temporaryFolder();
  options = {
    dataDir: join(folder.path, 'data'),
    port: await freePort(),
    ingressPort: await freePort(),
  };
});
afterAll(() => folder.remove());

const rotate = () => {
  const argv = [
    join(ROOT, 'node_modules/.bin/node'),
    join(ROOT, 'scripts/rotate-key.mjs'),
  ] as const;
  return runLongshore({ ...options, command: { argv, cwd: ROOT } });
};

const sealKey = () => readFile(join(options.dataDir, 'keys', 'seal.key'), 'utf8');

it('replaces the key only while the server is stopped', async () => {
  const email = 'ada@example.com';
  const running = await startLongshore(options);
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${running.url}/v1/auth${path}`, init);
    return await response.json();
  };
  const post = (path: string, body: unknown, headers = {}) =>
    send(path, { method: 'POST', body: JSON.stringify(body), headers });
  const { session } = await post('/signup/email-password', { email, password: 'correct horse' });
  const headers = { authorization: `Bearer ${session.accessToken}` };
  const { totpSecret } = await send('/mfa/totp/generate', { headers });
  const app = authenticator(totpSecret);
  await post('/user/mfa', { code: app.code(), activeMfaType: 'totp' }, headers);
  const generated = await post('/mfa/recovery-codes/generate', { code: app.code() }, headers);
  const [recoveryCode] = generated.recoveryCodes;
  const before = await sealKey();

  const refused = await rotate();
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toMatch(/^Another Longshore already uses LONGSHORE_DATA_DIR .*\n$/);
  expect(await sealKey()).toBe(before);
  await running.stop();

  const rotated = await rotate();
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  expect(rotated.stdout).toContain('Key rotated: 1 secret(s) re-encrypted with the new key.');
  expect(await sealKey()).not.toBe(before);

  const restarted = await startLongshore(options);
  const { mfa } = await post('/signin/email-password', { email, password: 'correct horse' });
  const signedIn = await post('/signin/mfa/totp', { ticket: mfa.ticket, otp: recoveryCode });
  expect(signedIn).toMatchObject({ session: { user: { email } } });
  expect(await post('/user/mfa', { code: app.code() }, headers)).toBe('OK');
  expect(await restarted.stop()).toBe(0);
});
