import type { ServerResponse } from 'node:http';
import type { LogLine } from '@longshore/contract';
import { createFakeAuth, eventually, serveHttp, systemClock } from '@longshore/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import type { Fetch, Visibility } from '../ports.ts';
import { createLogs } from './create-logs.ts';
import type { FollowState } from './logs.ts';

const selection = { projectId: 'project', appId: 'app' };
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('streaming logs', () => {
  it('sends the specified defaults and parses each line', async () => {
    const backend = await serveLogs((response) => {
      response.write('[app-1-build-1]: inst');
      response.write('alling\n[app-1-1]: listening\n');
      response.end('loose');
    });
    const { lines, stream } = prepare(backend.url);
    await stream();
    expect(lines).toEqual([
      { name: 'app-1-build-1', source: 'build', text: 'installing' },
      { name: 'app-1-1', source: 'app', text: 'listening' },
      { name: '', source: 'app', text: 'loose' },
    ]);
    expect(backend.requests).toEqual([
      {
        token: 'Bearer token-1',
        body: { ...selection, follow: true, previous: false, tailLines: 100 },
      },
    ]);
  });

  it('throws without a session', async () => {
    const { auth, stream } = prepare('http://127.0.0.1:9');
    auth.signOut();
    await expect(stream()).rejects.toThrow('No access token available');
  });

  it('throws the status of a failed response', async () => {
    const backend = await serveLogs((response) => response.writeHead(404).end());
    await expect(prepare(backend.url).stream()).rejects.toThrow('Failed to fetch logs: 404');
  });

  it('throws when there is no stream', async () => {
    const noBody = async () => new Response(null);
    const { stream } = prepare('http://backend', { fetch: noBody });
    await expect(stream()).rejects.toThrow('Stream not available');
  });

  it('closes the connection without an error when aborted', async () => {
    let isClosed = false;
    const backend = await serveLogs((response) => {
      response.write('[a]: 1\n');
      response.on('close', () => {
        isClosed = true;
      });
    });
    const { lines, stream, abort } = prepare(backend.url);
    const streaming = stream();
    await eventually(() => lines.length === 1);
    abort();
    await streaming;
    await eventually(() => isClosed);
  });
});

describe('following logs', () => {
  it('continues where it stopped after the connection broke', async () => {
    const backend = await serveLogs((response, count) => {
      if (count === 1) {
        response.write('[a]: 1\n[a]: 2\n', () => response.destroy());
      } else {
        response.write('[a]: 1\n[a]: 2\n[a]: 3\n');
      }
    });
    const { lines, states, follow, abort } = prepare(backend.url);
    const following = follow();
    await eventually(() => lines.length === 3);
    abort();
    await following;
    expect(lines.map(({ text }) => text)).toEqual(['1', '2', '3']);
    expect(states).toEqual(['connecting', 'open', 'reconnecting', 'open']);
  });

  it('continues after the last line if the server numbers the lines', async () => {
    const line = (sequence: number) =>
      `${JSON.stringify({ sequence, at: '2025-01-01T00:00:00.000Z', name: 'a', text: 'same' })}\n`;
    const backend = await serveLogs((response, count) => {
      response.setHeader('content-type', 'application/x-ndjson; charset=utf-8');
      if (count === 1) response.write(line(7) + line(8), () => response.destroy());
      else response.write(line(9));
    });
    const { lines, follow, abort } = prepare(backend.url);
    const following = follow();
    await eventually(() => lines.length === 3);
    abort();
    await following;
    const at = '2025-01-01T00:00:00.000Z';
    const expected = { name: 'a', source: 'app', text: 'same', at };
    expect(lines).toEqual([7, 8, 9].map((sequence) => ({ ...expected, sequence })));
    const [first, second] = backend.requests;
    expect(first?.body).not.toHaveProperty('after');
    expect(second?.body).toMatchObject({ after: 8, follow: true });
  });

  it('closes the connection while the page is hidden, and continues after the last line', async () => {
    const line = (sequence: number) => `${JSON.stringify({ sequence, name: 'a', text: 'same' })}\n`;
    let open = 0;
    const backend = await serveLogs((response, count) => {
      open += 1;
      response.on('close', () => {
        open -= 1;
      });
      response.setHeader('content-type', 'application/x-ndjson; charset=utf-8');
      response.write(line(count));
    });
    const page = fakeVisibility(false);
    const { lines, states, follow, abort } = prepare(backend.url, { visibility: page.visibility });
    const following = follow();
    await new Promise(setImmediate);
    expect(backend.requests).toEqual([]);
    for (const seen of [1, 2, 3]) {
      page.show(true);
      await eventually(() => lines.length === seen && open === 1);
      page.show(false);
      await eventually(() => open === 0);
    }
    abort();
    await following;
    expect(lines.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(backend.requests.map(({ body }) => (body as { after?: number }).after)).toEqual([
      undefined,
      1,
      2,
    ]);
    expect(states).toEqual(['connecting', 'open']);
  });

  it('refreshes a token that the server rejects', async () => {
    const backend = await serveLogs((response, count) => {
      if (count === 1) response.writeHead(401).end();
      else response.write('[a]: 1\n');
    });
    const { lines, follow, abort } = prepare(backend.url);
    const following = follow();
    await eventually(() => lines.length === 1);
    abort();
    await following;
    expect(backend.requests.map(({ token }) => token)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });

  it('retries while the server fails temporarily', async () => {
    const backend = await serveLogs((response, count) => {
      if (count < 3) response.writeHead(503).end();
      else response.write('[a]: 1\n');
    });
    const { lines, states, follow, abort } = prepare(backend.url);
    const following = follow();
    await eventually(() => lines.length === 1);
    abort();
    await following;
    expect(states).toEqual(['connecting', 'reconnecting', 'open']);
  });

  it('fails on a request that the server rejects', async () => {
    const backend = await serveLogs((response) => response.writeHead(404).end());
    await expect(prepare(backend.url).follow()).rejects.toThrow('Failed to fetch logs: 404');
  });

  it('fails when no user is signed in', async () => {
    const { auth, follow } = prepare('http://127.0.0.1:9');
    auth.signOut();
    await expect(follow()).rejects.toThrow('No access token available');
  });
});

function fakeVisibility(isVisible: boolean) {
  const listeners = new Set<() => void>();
  const visibility: Visibility = {
    isVisible: () => isVisible,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  function show(next: boolean) {
    isVisible = next;
    for (const listener of [...listeners]) listener();
  }
  return { visibility, show };
}

type Prepared = { fetch?: Fetch; visibility?: Visibility };

function prepare(url: string, { fetch = globalThis.fetch, ...more }: Prepared = {}) {
  const auth = createFakeAuth();
  const logs = createLogs({ url, clock: systemClock, fetch, auth, ...more });
  const stopping = new AbortController();
  const lines: LogLine[] = [];
  const states: FollowState[] = [];
  const options = { signal: stopping.signal, onLine: (line: LogLine) => void lines.push(line) };
  const abort = () => stopping.abort();
  cleanups.push(abort);
  return {
    auth,
    lines,
    states,
    abort,
    stream: () => logs.stream(selection, options),
    follow: () =>
      logs.follow(selection, { ...options, onState: (state) => void states.push(state) }),
  };
}

/** A real server that handles each request with the given handler and the number of the request. */
async function serveLogs(respond: (response: ServerResponse, count: number) => void) {
  const requests: { token: string | undefined; body: unknown }[] = [];
  const http = await serveHttp(async (request, response) => {
    const chunks = await request.toArray();
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    requests.push({ token: request.headers.authorization, body });
    respond(response, requests.length);
  });
  cleanups.push(http.close);
  return { url: http.url, requests };
}
