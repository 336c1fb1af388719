import { clientError } from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { AuthApi, AuthResponse } from '../auth/auth-api.ts';
import { failure } from './read-response.ts';

/** Requests to the auth service with the access token of the signed-in user. */
export type UserRequests = {
  post(path: string, body?: unknown, signal?: AbortSignal): Promise<AuthResponse>;
  get(path: string): Promise<AuthResponse>;
  delete(path: string): Promise<AuthResponse>;
};

export type UserRequestsDeps = {
  api: Pick<AuthApi, 'post' | 'get' | 'delete'>;
  auth: Pick<Auth, 'accessToken'>;
  /** Aborts all running requests. */
  signal: AbortSignal;
};

export function createUserRequests({
  api,
  auth,
  signal: stopping,
}: UserRequestsDeps): UserRequests {
  async function withToken(
    send: (accessToken: string) => Promise<AuthResponse>,
  ): Promise<AuthResponse> {
    const accessToken = await auth.accessToken();
    if (accessToken === undefined) return failure(clientError('unauthenticated-user'));
    return send(accessToken);
  }

  return {
    post: (path, body, signal = stopping) =>
      withToken((accessToken) => api.post(path, { body, signal, accessToken })),
    get: (path) => withToken((accessToken) => api.get(path, { signal: stopping, accessToken })),
    delete: (path) =>
      withToken((accessToken) => api.delete(path, { signal: stopping, accessToken })),
  };
}
