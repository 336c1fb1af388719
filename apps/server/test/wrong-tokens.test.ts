import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type HttpServer, startHttpServer } from '../src/http/server.ts';
import { ADMIN_SECRET, type Backend, bearer, startBackend, stopWithoutErrors } from './backend.ts';

const WRONG_TOKENS = 310;

let backend: Backend;
let server: HttpServer;
let ada: Session;
let url: string;
beforeAll(async () => {
  const connect = { rateLimits: true, allowLocalSources: true };
  backend = await startBackend({ settings: { rateLimits: true }, connect });
  server = await startHttpServer({
    app: backend.app,
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost:1337',
    allowedOrigins: [],
    upgrades: { '/v1/graphql': backend.graphql.sockets.upgrade },
  });
  url = `http://127.0.0.1:${server.port}`;
  ada = await backend.signUp();
});
afterAll(async () => {
  await server.stop();
  await stopWithoutErrors(backend);
});

async function send(path: string, init: { body?: unknown; headers?: Record<string, string> }) {
  const response = await fetch(`${url}${path}`, {
    method: init.body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...init.headers },
    redirect: 'manual',
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
  const text = await response.text();
  return text.includes('"error') ? `${response.status} error` : String(response.status);
}

/** The first answer to the first message of a websocket: the type of a message, or the code of a close. */
async function connectionInit(authorization: string): Promise<unknown> {
  const socket = new WebSocket(url.replace('http', 'ws').concat('/v1/graphql'), [
    'graphql-transport-ws',
  ]);
  await once(socket, 'open');
  const message = once(socket, 'message').then(([bytes]) => JSON.parse(String(bytes)).type);
  const closed = once(socket, 'close').then(([code]) => code);
  socket.send(JSON.stringify({ type: 'connection_init', payload: { headers: { authorization } } }));
  const answer = await Promise.race([message, closed]);
  socket.terminate();
  return answer;
}

async function newPat(): Promise<string> {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const { body } = await backend.post('/v1/auth/pat', { expiresAt }, bearer(ada));
  return String(body.personalAccessToken);
}

async function emailCode(): Promise<string> {
  await backend.post('/v1/auth/signin/otp/email', { email: ada.user.email });
  return backend.mails.at(-1)?.code ?? '';
}

const wrongBearer = { authorization: 'Bearer wrong' };
const query = { query: '{ resources { id } }' };

type Attempt = () => Promise<unknown>;
type Case = [credential: string, expected: unknown, wrong: Attempt, right: () => Promise<Attempt>];

const withAccessToken = (path: string, expected: string, body?: unknown): Case => [
  `access token at ${path}`,
  expected,
  () => send(path, { body, headers: wrongBearer }),
  async () => () => send(path, { body, headers: bearer(ada) }),
];

const CASES: Case[] = [
  [
    'personal access token',
    '200',
    () => send('/v1/auth/signin/pat', { body: { personalAccessToken: randomUUID() } }),
    async () => {
      const personalAccessToken = await newPat();
      return () => send('/v1/auth/signin/pat', { body: { personalAccessToken } });
    },
  ],
  [
    'refresh token',
    '200',
    () => send('/v1/auth/token', { body: { refreshToken: randomUUID() } }),
    async () => {
      const { refreshToken } = await backend.signUp();
      return () => send('/v1/auth/token', { body: { refreshToken } });
    },
  ],
  [
    'code of an email',
    '200',
    () =>
      send('/v1/auth/signin/otp/email/verify', {
        body: { email: `${randomUUID()}@example.com`, otp: '000000' },
      }),
    async () => {
      const otp = await emailCode();
      const body = { email: ada.user.email, otp };
      return () => send('/v1/auth/signin/otp/email/verify', { body });
    },
  ],
  [
    'admin secret',
    '200',
    () => send('/v1/graphql', { body: query, headers: { 'x-hasura-admin-secret': 'wrong' } }),
    async () => () =>
      send('/v1/graphql', { body: query, headers: { 'x-hasura-admin-secret': ADMIN_SECRET } }),
  ],
  [
    'access token at a websocket',
    'connection_ack',
    () => connectionInit('Bearer wrong'),
    async () => () => connectionInit(`Bearer ${ada.accessToken}`),
  ],
  withAccessToken('/v1/graphql', '200', query),
  withAccessToken('/v1/auth/user', '200'),
  withAccessToken('/v1/auth/token/verify', '200', {}),
  withAccessToken('/v1/storage/files/00000000-0000-4000-8000-000000000000', '404 error'),
  // The body is invalid, but the caller is known.
  withAccessToken('/v1/connect/auth/dockerhub', '400 error', {}),
];

/** Four at a time, as clients behind a proxy would. */
async function repeat(times: number, attempt: Attempt): Promise<unknown[]> {
  const results: unknown[] = [];
  while (results.length < times)
    results.push(...(await Promise.all([attempt(), attempt(), attempt(), attempt()])));
  return results;
}

describe(`after ${WRONG_TOKENS} wrong ones from the same address, a right one is accepted`, () => {
  it.each(CASES)('%s', async (_, expected, wrong, prepareRight) => {
    const right = await prepareRight();
    const refusal = await wrong();
    expect(refusal).not.toBe(expected);
    expect(new Set(await repeat(WRONG_TOKENS, wrong))).toEqual(new Set([refusal]));
    expect(await right()).toBe(expected);
  });
});
