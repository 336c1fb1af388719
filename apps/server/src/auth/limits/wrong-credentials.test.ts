import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createConnectionReader, identifyClients } from '../../http/client.ts';
import { createBuckets } from '../../rate-limits/buckets.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { limitRequests } from './limit-requests.ts';
import { ABUSE_OF, type Abuse } from './limits.ts';

type PathName = keyof typeof AUTH_PATHS;

const PROXY = '192.0.2.1';
const names = (...abuses: Abuse[]) =>
  Object.entries(ABUSE_OF).flatMap(([name, abuse]) => (abuses.includes(abuse) ? [name] : []));

/** An auth service whose only check is the field `isRight` of the body. Requests wait while `gate` is closed. */
function startService() {
  let open = () => {};
  let gate: Promise<void> | undefined;
  let running = 0;
  const peaks: number[] = [];
  const identified = { userId: 'ada', sessionId: 'session', expiresAt: 0 };
  const deps = {
    settings: { rateLimits: true },
    openBuckets: () => createBuckets({ clock: { now: () => 0 } }),
    accessTokens: {
      verify: async (token: string) =>
        token === 'good' ? { kind: 'valid', identified } : { kind: 'forged' },
    },
  } as unknown as AuthDeps;
  const connectionReader = createConnectionReader({
    isTrustedProxy: undefined,
    edgeSockets: new WeakSet(),
  });
  const service = new Hono()
    .use(identifyClients(connectionReader))
    .route('/', limitRequests(deps))
    .all('*', async (context) => {
      running += 1;
      peaks.push(running);
      await gate;
      running -= 1;
      const { isRight } = (await context.req.json()) as { isRight?: boolean };
      if (!isRight) throw new AuthProblem('unauthorized');
      return context.json('OK');
    })
    .onError((error, context) =>
      context.body(null, error instanceof AuthProblem ? error.status : 500),
    );
  return {
    peaks,
    close() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    open: () => open(),
    async send(name: string, body: object, token?: string): Promise<number> {
      const path = AUTH_PATHS[name as PathName].replace(/:\w+/g, 'x');
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const request = { method: 'POST', body: JSON.stringify(body), headers };
      const incoming = { headers: {}, socket: { remoteAddress: PROXY } };
      return (await service.request(path, request, { incoming })).status;
    },
  };
}

describe('after wrong credentials from the same address, a right one is accepted', () => {
  const attempted = names('guessing', 'tokens', 'signing-up', 'messaging');

  it.each([
    ...attempted.map((name) => [name, 310] as const),
    ...(['user', 'verify', 'signInProviderCallback'] as const).map(
      (name) => [name, 1_010] as const,
    ),
  ])('by %s, after %s', async (name, times) => {
    const { send } = startService();
    for (let count = 0; count < times; count += 1) {
      const token = count % 2 === 0 ? 'wrong' : undefined;
      expect(await send(name, { email: `${count}@example.com` }, token)).toBe(401);
    }
    expect(await send(name, { email: 'ada@example.com', isRight: true })).toBe(200);
    expect(await send(name, { isRight: true }, 'good')).toBe(200);
  });
});

describe('after wrong credentials for the same account from the same address, a right one is', () => {
  const email = 'ada@example.com';
  it.each([
    ...names('tokens', 'signing-up', 'messaging', 'load').map((name) => [name, 200] as const),
    ...names('guessing').map((name) => [name, 429] as const),
  ])('by %s: %s', async (name, status) => {
    const { send } = startService();
    for (let count = 0; count < 40; count += 1) await send(name, { email });
    expect(await send(name, { email, isRight: true })).toBe(status);
  });
});

it('serves an address with many wrong credentials one request at a time', async () => {
  const { send, peaks, close, open } = startService();
  for (let count = 0; count < 300; count += 1) await send('signInPat', {});
  peaks.length = 0;
  close();
  const waiting = Array.from({ length: 20 }, () => send('signInPat', { isRight: true }));
  open();
  expect(await Promise.all(waiting)).toEqual(Array(20).fill(200));
  expect(Math.max(...peaks)).toBe(1);
});

it('refuses more than 100 waiting requests of such an address', async () => {
  const { send, close, open } = startService();
  for (let count = 0; count < 300; count += 1) await send('signInPat', {});
  close();
  const sent = Array.from({ length: 103 }, () => send('signInPat', { isRight: true }));
  await expect.poll(() => Promise.race([sent.at(-1), 'waiting'])).toBe(429);
  open();
  const statuses = await Promise.all(sent);
  expect(statuses.filter((status) => status === 200)).toHaveLength(101);
});

it('limits accounts created from one address, also for signed-in users', async () => {
  const { send } = startService();
  const signUp = (email: string, token?: string) =>
    send('signUpEmailPassword', { email, isRight: true }, token);
  for (let count = 0; count < 300; count += 1)
    expect(await signUp(`${count}@example.com`)).toBe(200);
  expect(await signUp('new@example.com')).toBe(429);
  expect(await signUp('new@example.com', 'good')).toBe(429);
});

it('limits messages to many recipients from one address', async () => {
  const { send } = startService();
  const request = (email: string, token?: string) =>
    send('signInOtpEmail', { email, isRight: true }, token);
  for (let count = 0; count < 300; count += 1)
    expect(await request(`${count}@example.com`)).toBe(200);
  expect(await request('another@example.com')).toBe(429);
  expect(await request('another@example.com', 'good')).toBe(200);
});
