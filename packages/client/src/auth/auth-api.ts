import {
  AUTH_PATHS,
  type AuthError,
  clientError,
  isRecord,
  isSession,
  type Session,
} from '@longshore/contract';
import type { Clock, Fetch } from '../ports.ts';
import { withDeadline } from '../timing/deadline.ts';

const ANSWER_TIMEOUT_MS = 30_000;

export type AuthAnswer = { ok: true; body: unknown } | { ok: false; error: AuthError };
export type TokenAnswer = { ok: true; session: Session } | { ok: false; error: AuthError };

/** The auth service. Answers, never throws. */
export type AuthApi = {
  post(path: string, request: AuthRequest): Promise<AuthAnswer>;
  get(path: string, request: AuthRequest): Promise<AuthAnswer>;
  delete(path: string, request: AuthRequest): Promise<AuthAnswer>;
  /** Trades a refresh token for a session. */
  token(refreshToken: string, signal: AbortSignal): Promise<TokenAnswer>;
};

export type AuthRequest = { body?: unknown; signal: AbortSignal; accessToken?: string };
export type AuthApiDeps = { url: string; fetch: Fetch; clock: Clock };

export function createAuthApi({ url, fetch, clock }: AuthApiDeps): AuthApi {
  const by =
    (method: string): AuthApi['post'] =>
    (path, request) =>
      call(method, path, request);
  const post = by('POST');

  async function call(
    method: string,
    path: string,
    { body, signal, accessToken }: AuthRequest,
  ): Promise<AuthAnswer> {
    const headers = {
      'content-type': 'application/json',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    };
    try {
      return await withDeadline({ clock, timeoutMs: ANSWER_TIMEOUT_MS, signal }, async (signal) =>
        readAnswer(
          await fetch(url + path, {
            method,
            headers,
            signal,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }),
        ),
      );
    } catch {
      return networkError();
    }
  }

  async function token(refreshToken: string, signal: AbortSignal): Promise<TokenAnswer> {
    const answer = await post(AUTH_PATHS.token, { body: { refreshToken }, signal });
    if (!answer.ok) return answer;
    return isSession(answer.body) ? { ok: true, session: answer.body } : networkError();
  }

  return { post, get: by('GET'), delete: by('DELETE'), token };
}

/** What is not JSON does not come from the auth service; a proxy's page must never sign anybody out. */
async function readAnswer(response: Response): Promise<AuthAnswer> {
  const body: unknown = await response.json();
  return response.ok ? { ok: true, body } : { ok: false, error: errorOf(body, response.status) };
}

/** Spec §8: a failed response body is passed on as the error. What it does not say is left to whoever shows it. */
function errorOf(body: unknown, httpStatus: number): AuthError {
  const given = isRecord(body) ? body : {};
  return {
    status: typeof given.status === 'number' ? given.status : httpStatus,
    error: typeof given.error === 'string' ? given.error : 'unknown',
    message: typeof given.message === 'string' ? given.message : '',
  };
}

function networkError(): { ok: false; error: AuthError } {
  return { ok: false, error: clientError('network') };
}
