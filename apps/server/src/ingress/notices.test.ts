import { describe, expect, it } from 'vitest';
import {
  deadAddress,
  get,
  HOST,
  startIngress,
  startServing,
} from '../../test/ingress/ingress-fixture.ts';
import type { Route } from './route-table.ts';

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('in the stead of an app', () => {
  it.each<[Route, number, string]>([
    [{ kind: 'starting' }, 503, 'This app is starting.'],
    [{ kind: 'hibernated', wakes: false }, 503, 'This app is hibernated.'],
    [{ kind: 'failed' }, 503, 'This app is not running.'],
    [{ kind: 'live', targets: [] }, 503, 'This app is starting.'],
  ])('that is %j, answers %i', async (route, status, title) => {
    const { ingress, port } = await startIngress({ pageMs: 0 });
    ingress.routes.set('app-1', [HOST], route);
    const page = await get(port, '/', HTML);
    expect(page).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).toContain('Cache-Control: no-store');
    expect(page).toContain('Content-Type: text/html');
  });

  it('tells a program in JSON', async () => {
    const { port } = await startIngress();
    const answer = await get(port, '/', { Accept: 'application/json' });
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    expect(body).toEqual({
      status: 404,
      error: 'unknown',
      message: 'No app lives at this address.',
    });
  });

  it('tells in plain text who asks for that alone', async () => {
    const { port } = await startIngress();
    const answer = await get(port, '/', { Accept: 'text/plain' });
    expect(answer).toContain('Content-Type: text/plain');
    expect(answer).toMatch(/\r\n\r\nNo app lives at this address\. Check the spelling/);
  });

  it('says when to come back while the app starts', async () => {
    const { ingress, port } = await startIngress({ holdMs: 0 });
    ingress.routes.set('app-1', [HOST], { kind: 'starting' });
    expect(await get(port)).toMatch(/Retry-After: \d+/);
  });

  it('tells how to wake a hibernated app', async () => {
    const { ingress, port } = await startIngress();
    ingress.routes.set('app-1', [HOST], { kind: 'hibernated', wakes: false });
    expect(await get(port, '/', HTML)).toContain('Wake it in the console to use it.');
  });

  it('escapes a hostile host name', async () => {
    const { port } = await startIngress();
    const page = await get(port, '/', { ...HTML, Host: '<img/onerror=1>' });
    expect(page).toMatch(/^HTTP\/1.1 404 /);
    expect(page).not.toContain('<img');
  });

  it('answers 502 when no target accepts a connection', async () => {
    const { ingress, port } = await startIngress();
    const targets = [await deadAddress()];
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets });
    expect(await get(port, '/', HTML)).toMatch(/^HTTP\/1.1 502 [\s\S]*This app did not answer\./);
  });

  it('answers 503 when a target has as many requests as it may', async () => {
    const { port, app } = await startServing(() => {}, { inFlightPerTarget: 1 });
    const arrived = new Promise((resolve) => app.server.once('request', resolve));
    const first = get(port);
    await arrived;
    expect(await get(port)).toMatch(/^HTTP\/1.1 503 [\s\S]*too many visitors/);
    app.server.closeAllConnections();
    await first;
  });

  it('answers 504 when an app stays silent', async () => {
    const { port } = await startServing(() => {}, { idleMs: 100 });
    expect(await get(port)).toMatch(/^HTTP\/1.1 504 /);
  });
});
