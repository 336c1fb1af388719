import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { get, HOST, startApp, startIngress } from '../../test/ingress-fixture.ts';
import { stickyCookie, stickyTarget } from './sticky-session.ts';

const policy = { stickySessions: true };

async function startInstances(count: number) {
  const apps = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      startApp((_request, response) => {
        response.setHeader('Set-Cookie', 'own=1');
        response.end(`instance ${index + 1}.`);
      }),
    ),
  );
  const { ingress, port } = await startIngress();
  const targets = apps.map((app, index) => ({ ...app, instance: String(index + 1) }));
  const setTargets = (...ids: string[]) =>
    ingress.routes.set('app-1', [HOST], {
      kind: 'live',
      targets: targets.filter(({ instance }) => ids.includes(instance)),
      policy,
    });
  setTargets(...targets.map(({ instance }) => instance));
  const send = async (cookie?: string) => {
    const response = await get(port, '/', cookie === undefined ? {} : { Cookie: cookie });
    return {
      instance: /instance (\d)\./.exec(response)?.[1],
      cookies: [...response.matchAll(/^Set-Cookie: (.*)\r$/gim)].map(([, value]) => value),
    };
  };
  return { send, setTargets, apps };
}

it('sends a visitor with the cookie to the same instance, without its address', async () => {
  const { send } = await startInstances(3);
  const first = await send();
  expect(first.cookies).toEqual([
    'own=1',
    `longshore_instance=${first.instance}; Path=/; HttpOnly; SameSite=Lax`,
  ]);
  for (let count = 0; count < 6; count += 1) {
    const next = await send(`a=b; longshore_instance=${first.instance}`);
    expect(next).toEqual({ instance: first.instance, cookies: ['own=1'] });
  }
});

it('spreads visitors without the cookie', async () => {
  const { send } = await startInstances(3);
  const instances = new Set<string | undefined>();
  for (let count = 0; count < 3; count += 1) instances.add((await send()).instance);
  expect(instances.size).toBe(3);
});

it('chooses another instance when the one of the cookie is gone, refuses connections, or is unknown', async () => {
  const { send, setTargets, apps } = await startInstances(2);
  apps[0]?.server.close();
  expect(await send('longshore_instance=1')).toMatchObject({
    instance: '2',
    cookies: ['own=1', expect.stringContaining('longshore_instance=2;')],
  });
  expect((await send('longshore_instance=9')).instance).toBe('2');
  setTargets('2');
  expect((await send('longshore_instance=1')).instance).toBe('2');
});

it('chooses another instance when the one of the cookie has as many requests as it can take', async () => {
  const { port, ingress } = await startIngress({ inFlightPerTarget: 1 });
  const reached = Promise.withResolvers<ServerResponse>();
  const busy = await startApp((_request, response) => reached.resolve(response));
  const idle = await startApp((_request, response) => response.end('instance 2.'));
  const targets = [
    { ...busy, instance: '1' },
    { ...idle, instance: '2' },
  ];
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets, policy });
  const visitor = { Cookie: 'longshore_instance=1' };
  const first = get(port, '/', visitor);
  const response = await reached.promise;
  const second = await get(port, '/', visitor);
  expect(second).toContain('Set-Cookie: longshore_instance=2;');
  expect(second).toContain('instance 2.');
  response.end('instance 1.');
  expect(await first).toContain('instance 1.');
});

const IDLE = { inFlight: 0, websockets: 0, avoidedUntil: 0 };

it('follows the first cookie that names an instance of the app', () => {
  const app = { upstreams: [IDLE, IDLE], instances: ['1', '2'] };
  const visitor = (cookies: string, scheme: 'http' | 'https' = 'http') => ({ cookies, scheme });
  const target = (cookies: string, scheme?: 'http' | 'https') =>
    stickyTarget(app, visitor(cookies, scheme), { now: 0, maxRequests: 1 });
  expect(target('longshore_instance=9; longshore_instance=2')).toBe(1);
  expect(stickyCookie(app, 1, visitor('longshore_instance=9; longshore_instance=2'))).toBe(
    undefined,
  );
  // Another app below the same domain cannot set a cookie of the name that is used with HTTPS.
  expect(target('longshore_instance=2', 'https')).toBeUndefined();
  expect(target('longshore_instance=2; __Host-longshore_instance=1', 'https')).toBe(0);
  expect(stickyCookie(app, 1, visitor('longshore_instance=2', 'https'))).toBe(
    '__Host-longshore_instance=2; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
});

it('has no cookie without the setting', async () => {
  const app = await startApp((_request, response) => response.end('hello'));
  const { ingress, port } = await startIngress();
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [{ ...app, instance: '1' }] });
  expect(await get(port)).not.toMatch(/set-cookie/i);
});
