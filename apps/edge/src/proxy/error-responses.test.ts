import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  get,
  HOST,
  startIngress,
  startServing,
  unusedAddress,
} from '../../test/ingress-fixture.ts';
import type { Route } from './ingress.ts';

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the response of the ingress', () => {
  it.each<[Route, number, string]>([
    [{ kind: 'starting' }, 503, 'This app is starting.'],
    [{ kind: 'hibernated', wakesOnRequest: false }, 503, 'This app is hibernated.'],
    [{ kind: 'failed' }, 503, 'This app is not running.'],
    [{ kind: 'live', targets: [] }, 503, 'This app is starting.'],
  ])('for the route %j has status %i', async (route, status, title) => {
    const { ingress, port } = await startIngress({ pageHoldMs: 0 });
    ingress.routes.set('app-1', [HOST], route);
    const page = await get(port, '/', HTML);
    expect(page).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).toContain('Cache-Control: no-store');
    expect(page).toContain('Content-Type: text/html');
  });

  it('is JSON for programs', async () => {
    const { port } = await startIngress();
    const response = await get(port, '/', { Accept: 'application/json' });
    expect(response).toMatch(/^HTTP\/1.1 404 /);
    const body = JSON.parse(response.slice(response.indexOf('\r\n\r\n')));
    expect(body).toEqual({
      status: 404,
      error: 'unknown',
      message: 'No app found at this address.',
    });
  });

  it('is plain text for clients that accept only that', async () => {
    const { port } = await startIngress();
    const response = await get(port, '/', { Accept: 'text/plain' });
    expect(response).toContain('Content-Type: text/plain');
    expect(response).toMatch(/\r\n\r\nNo app found at this address\. Check the spelling/);
  });

  it('has Retry-After while the app starts', async () => {
    const { ingress, port } = await startIngress({ holdMs: 0 });
    ingress.routes.set('app-1', [HOST], { kind: 'starting' });
    expect(await get(port)).toMatch(/Retry-After: \d+/);
  });

  it('explains how to wake a hibernated app', async () => {
    const { ingress, port } = await startIngress();
    ingress.routes.set('app-1', [HOST], { kind: 'hibernated', wakesOnRequest: false });
    expect(await get(port, '/', HTML)).toContain('Wake it in the console to use it.');
  });

  it('escapes a hostile host name', async () => {
    const { port } = await startIngress();
    const page = await get(port, '/', { ...HTML, Host: '<img/onerror=1>' });
    expect(page).toMatch(/^HTTP\/1.1 404 /);
    expect(page).not.toContain('<img');
  });

  it('is 502 when no target accepts a connection', async () => {
    const { ingress, port } = await startIngress();
    const targets = [await unusedAddress()];
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets });
    expect(await get(port, '/', HTML)).toMatch(/^HTTP\/1.1 502 [\s\S]*This app did not respond\./);
  });

  it('is 503 when a target has reached its request limit', async () => {
    const { port, app } = await startServing(() => {}, { inFlightPerTarget: 1 });
    const arrived = once(app.server, 'request');
    const first = get(port);
    const [, response] = await arrived;
    expect(await get(port)).toMatch(/^HTTP\/1.1 503 [\s\S]*too many requests/);
    response.end();
    await first;
  });

  it('is 504 when an app sends nothing', async () => {
    const { port } = await startServing(() => {}, { idleMs: 100 });
    expect(await get(port)).toMatch(/^HTTP\/1.1 504 /);
  });
});
