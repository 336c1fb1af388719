import { hashPassword } from '@longshore/edge-contract';
import { expect, it, vi } from 'vitest';
import { createPolicies } from './create-policies.ts';
import { type CheckDeps, createCredentialChecks } from './credential-checks.ts';

const basicAuth = { username: 'ada', passwordHash: 'hash of secret' };
const entered = (password: string, username = 'ada') => ({
  basicAuth,
  credentials: { username, password },
});

/** Compares with "secret". `finish` ends the oldest comparison that runs. */
function createChecks(limits: CheckDeps['limits'] = {}) {
  let now = 0;
  const running: (() => void)[] = [];
  const isPassword = vi.fn(async (password: string) => {
    await new Promise<void>((resolve) => running.push(resolve));
    return password === 'secret';
  });
  const checks = createCredentialChecks({ clock: { now: () => now }, isPassword, limits });
  async function finish() {
    await vi.waitFor(() => expect(running).not.toHaveLength(0));
    running.shift()?.();
  }
  async function result(password: string, address = '192.0.2.1', username = 'ada') {
    const checked = checks.check(entered(password, username), address);
    if (typeof checked !== 'string') await finish();
    return await checked;
  }
  return { checks, isPassword, running, finish, result, wait: (ms: number) => (now += ms) };
}

it('computes the hash of the same credentials once', async () => {
  const { checks, isPassword, result } = createChecks();
  expect(await result('secret')).toBe('right');
  expect(await result('wrong')).toBe('wrong');
  expect(await result('secret', '192.0.2.1', 'eve')).toBe('wrong');
  expect(isPassword).toHaveBeenCalledTimes(3);
  expect(checks.check(entered('secret'), '192.0.2.9')).toBe('right');
  expect(checks.check(entered('wrong'), '192.0.2.9')).toBe('wrong');
  expect(isPassword).toHaveBeenCalledTimes(3);
});

it('checks again when the password or the username of the app changes', async () => {
  const { checks, result } = createChecks();
  expect(await result('secret')).toBe('right');
  for (const change of [{ passwordHash: 'another hash' }, { username: 'grace' }]) {
    const check = { ...entered('secret'), basicAuth: { ...basicAuth, ...change } };
    expect(checks.check(check, '192.0.2.1')).toBeInstanceOf(Promise);
  }
});

it('computes one hash at a time, and the same credentials together', async () => {
  const { checks, isPassword, running, finish } = createChecks();
  const first = checks.check(entered('a'), '192.0.2.1');
  const same = checks.check(entered('a'), '192.0.2.2');
  const second = checks.check(entered('secret'), '192.0.2.3');
  await vi.waitFor(() => expect(running).toHaveLength(1));
  await Promise.resolve();
  expect(isPassword).toHaveBeenCalledTimes(1);
  await finish();
  await finish();
  expect(await Promise.all([first, same, second])).toEqual(['wrong', 'wrong', 'right']);
  expect(isPassword).toHaveBeenCalledTimes(2);
});

it('refuses an address after ten wrong passwords for a minute, but not known credentials', async () => {
  const { isPassword, result, wait } = createChecks();
  const [attacker, other] = ['2001:db8:0:1::1', '2001:db8:0:2::1'];
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect(await result(`guess ${attempt}`, attacker)).toBe('wrong');
  }
  expect(await result('one more', attacker)).toBe('limited');
  expect(await result('one more', '2001:db8:0:1:ffff::2')).toBe('limited');
  expect(isPassword).toHaveBeenCalledTimes(10);
  expect(await result('secret', other)).toBe('right');
  expect(await result('secret', attacker)).toBe('right');
  wait(60_000);
  expect(await result('one more', attacker)).toBe('wrong');
});

it.each<[string, CheckDeps['limits'], (at: number) => string]>([
  ['in total', { waiting: 3 }, (at) => `192.0.2.${at}`],
  ['for one app', { waitingPerApp: 3 }, (at) => `192.0.2.${at}`],
  ['from one address', { waitingPerAddress: 3 }, () => '192.0.2.1'],
])('lets a limited number of checks wait %s', async (_, limits, address) => {
  const { checks, finish } = createChecks(limits);
  const results = [0, 1, 2, 3].map((at) => checks.check(entered(`guess ${at}`), address(at)));
  expect(results[3]).toBe('limited');
  await finish();
  expect(await results[0]).toBe('wrong');
  expect(checks.check(entered('guess 4'), address(4))).toBeInstanceOf(Promise);
});

it('forgets the oldest results, and wrong ones never replace right ones', async () => {
  const { checks, isPassword, result } = createChecks({ results: 2 });
  await result('secret');
  for (const [at, password] of ['a', 'b', 'c'].entries()) await result(password, `192.0.2.${at}`);
  expect(checks.check(entered('secret'), '')).toBe('right');
  expect(checks.check(entered('c'), '')).toBe('wrong');
  expect(checks.check(entered('a'), '')).toBeInstanceOf(Promise);
  expect(isPassword).toHaveBeenCalledTimes(4);
});

it('refuses when a hash cannot be computed, and continues with the next', async () => {
  const isPassword = vi.fn().mockRejectedValueOnce(new Error('No memory')).mockResolvedValue(true);
  const checks = createCredentialChecks({ clock: { now: () => 0 }, isPassword });
  expect(await checks.check(entered('secret'), '')).toBe('limited');
  expect(await checks.check(entered('secret'), '')).toBe('right');
});

it('computes few hashes during a flood of wrong passwords, and known credentials pass', async () => {
  const passwordHash = await hashPassword('secret');
  const { decide } = createPolicies({ clock: { now: () => 0 }, limits: { waitingPerApp: 2 } });
  const policy = { basicAuth: { username: 'ada', passwordHash } };
  const request = (password: string, at: number) =>
    decide(policy, {
      method: 'GET',
      host: 'example.com',
      path: '/',
      scheme: 'http',
      address: `192.0.2.${at % 250}`,
      headers: { authorization: `Basic ${Buffer.from(`ada:${password}`).toString('base64')}` },
    });
  expect(await request('secret', 0)).toMatchObject({ kind: 'forward' });
  const flood = Array.from({ length: 2_000 }, (_, at) => request(`guess ${at}`, at));
  expect(flood.filter((verdict) => verdict instanceof Promise)).toHaveLength(2);
  expect(request('secret', 1)).toMatchObject({ kind: 'forward' });
  await Promise.all(flood);
});
