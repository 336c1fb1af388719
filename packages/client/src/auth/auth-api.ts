import {
  AUTH_PATHS,
  type AuthError,
  clientError,
  isRecord,
  isSession,
  type Session,
} from '@longshore/contract';
import { withDeadline } from '../http/deadline.ts';
import type { Clock, Fetch } from '../ports.ts';

const RESPONSE_TIMEOUT_MS = 30_000;

export type AuthResponse = { ok: true; body: unknown } | { ok: false; error: AuthError };
export type TokenResponse = { ok: true; session: Session } | { ok: false; error: AuthError };

/** HTTP calls to the auth service. Failures are returned, never thrown. */
export type AuthApi = {
  post(path: string, request: AuthRequest): Promise<AuthResponse>;
  get(path: string, request: AuthRequest): Promise<AuthResponse>;
  delete(path: string, request: AuthRequest): Promise<AuthResponse>;
  /** Exchanges a refresh token for a session. */
  token(refreshToken: string, signal: AbortSignal): Promise<TokenResponse>;
};

export type AuthRequest = { body?: unknown; signal: AbortSignal; accessToken?: string };
export type AuthApiDeps = { url: string; fetch: Fetch; clock: Clock };

export function createAuthApi({ url, fetch, clock }: AuthApiDeps): AuthApi {
  const requestWith =
    (method: string): AuthApi['post'] =>
    (path, request) =>
      call(method, path, request);
  const post = requestWith('POST');

  async function call(
    method: string,
    path: string,
    { body, signal, accessToken }: AuthRequest,
  ): Promise<AuthResponse> {
    const headers = {
      'content-type': 'application/json',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    };
    try {
      return await withDeadline({ clock, timeoutMs: RESPONSE_TIMEOUT_MS, signal }, async (signal) =>
        readResponse(
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

  async function token(refreshToken: string, signal: AbortSignal): Promise<TokenResponse> {
    const response = await post(AUTH_PATHS.token, { body: { refreshToken }, signal });
    if (!response.ok) return response;
    return isSession(response.body) ? { ok: true, session: response.body } : networkError();
  }

  return { post, get: requestWith('GET'), delete: requestWith('DELETE'), token };
}

/** Throws if the body is not JSON: it then comes from a proxy, and an error page of a proxy must not sign users out. */
async function readResponse(response: Response): Promise<AuthResponse> {
  const body: unknown = await response.json();
  return response.ok ? { ok: true, body } : { ok: false, error: errorOf(body, response.status) };
}

/** The body of a failed response is the error (spec-map 8.1.15). A missing message stays empty: screens have their own text. */
function errorOf(body: unknown, httpStatus: number): AuthError {
  const fields = isRecord(body) ? body : {};
  return {
    status: typeof fields.status === 'number' ? fields.status : httpStatus,
    error: typeof fields.error === 'string' ? fields.error : 'unknown',
    message: typeof fields.message === 'string' ? fields.message : '',
  };
}

function networkError(): { ok: false; error: AuthError } {
  return { ok: false, error: clientError('network') };
}
