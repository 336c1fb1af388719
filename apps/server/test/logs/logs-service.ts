import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { Problem, problemBody } from '../../src/http/problem.ts';
import { createLogFiles } from '../../src/logs/log-files.ts';
import { createLogStore } from '../../src/logs/log-store.ts';
import {
  createLogsService,
  type LogsServiceDeps,
  type LogsSession,
} from '../../src/logs/service.ts';
import { APP, temporaryFolder } from './log-fixture.ts';

export const PROJECT = 'b0b0b0b0-0000-4000-8000-000000000000';
const LIFETIME_MS = 60_000;
const clock = { now: () => 0 };

type ServiceOptions = {
  lifetimeMs?: number;
  limits?: LogsServiceDeps['limits'];
  /** Reads instead of the store. */
  open?: Open;
};

/** A logs service on a real store and port. Alice owns the app; Bob has an account too. */
export async function startLogsService(options: ServiceOptions = {}) {
  const { lifetimeMs = LIFETIME_MS, limits } = options;
  const folder = await temporaryFolder();
  const store = createLogStore({ storage: createLogFiles(folder), clock });
  const readers = { open: 0 };
  const cuts: unknown[] = [];
  const service = createLogsService({
    clock,
    store: { ...store, open: countReaders(options.open ?? store.open, readers) },
    ...(limits === undefined ? {} : { limits }),
    session: async (request) => sessionOf(request, lifetimeMs),
    ownsApp: async (userId, projectId, appId) =>
      userId === 'alice' && projectId === PROJECT && appId === APP,
    logCut: (error) => void cuts.push(error),
  });
  const app = new Hono().route('/v1/logs', service);
  app.onError((error, context) => {
    if (!(error instanceof Problem)) throw error;
    return context.json(problemBody(error), error.status);
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(async () => {
    await store.close();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`;
  return { store, readers, cuts, url, requestLogs: logsClient(url) };
}

function sessionOf(request: Request, lifetimeMs: number): LogsSession | undefined {
  const authorization = request.headers.get('authorization') ?? '';
  const userId = /^Bearer (alice|bob)$/.exec(authorization)?.[1];
  if (userId === undefined) return undefined;
  return { userId, expiresAt: new Date(lifetimeMs), onEnd: () => () => {} };
}

type RequestOptions = {
  token?: string | undefined;
  signal?: AbortSignal;
  accept?: string;
  path?: string;
};

function logsClient(url: string) {
  return (body: object = {}, options: RequestOptions = {}) => {
    const { token = 'alice', signal = null, accept = '*/*', path = '' } = options;
    return fetch(`${url}${path}`, {
      method: 'POST',
      signal,
      headers: { accept, ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ projectId: PROJECT, appId: APP, ...body }),
    });
  };
}

type Open = ReturnType<typeof createLogStore>['open'];

/** Counts the readers that are still open. */
function countReaders(open: Open, readers: { open: number }): Open {
  return async (...args) => {
    const lines = await open(...args);
    return async function* countedLines(signal) {
      readers.open += 1;
      try {
        yield* lines(signal);
      } finally {
        readers.open -= 1;
      }
    };
  };
}
