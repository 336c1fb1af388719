import { type CallDeps, call } from '../setup/call.ts';
import { type ConnectResult, noToken, readConnect } from './connect-result.ts';

export type Signalled = { signal?: AbortSignal };

export type Ask<Data> = {
  path: string;
  method?: 'GET' | 'POST' | 'DELETE';
  body?: unknown;
  /** An empty body is undefined, and so is what the reader makes of something that is no answer. */
  decode(body: unknown): Data | undefined;
} & Signalled;

/** A provider with thousands of repositories is read page by page, and the server stops at half of that. */
const TIMEOUT_MS = 60_000;

/** Asks the integrations service in the name of the person signed in. Answers, never throws. */
export async function askConnect<Data>(
  deps: CallDeps,
  { path, method = 'GET', body, decode, signal }: Ask<Data>,
): Promise<ConnectResult<Data>> {
  if ((await deps.auth.accessToken()) === undefined) return noToken();
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await call<ConnectResult<Data>>(deps, {
    path,
    init: { method, headers: { 'content-type': 'application/json' }, ...sent },
    signal,
    timeoutMs: TIMEOUT_MS,
    read: async (response) => ({ ok: true, data: await readConnect(response, decode) }),
  });
  return answer.ok ? answer.data : answer;
}
