import { clientError } from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { AuthAnswer, AuthApi } from '../auth/auth-api.ts';
import { refused } from './answer.ts';

/** Asks the auth service in the name of the person signed in. */
export type AsUser = {
  post(path: string, body: unknown, signal?: AbortSignal): Promise<AuthAnswer>;
  get(path: string): Promise<AuthAnswer>;
  delete(path: string): Promise<AuthAnswer>;
};

export type AsUserDeps = {
  api: Pick<AuthApi, 'post' | 'get' | 'delete'>;
  auth: Pick<Auth, 'accessToken'>;
  /** Ends whatever is on its way. */
  signal: AbortSignal;
};

export function createAsUser({ api, auth, signal: stopping }: AsUserDeps): AsUser {
  async function withToken(ask: (accessToken: string) => Promise<AuthAnswer>): Promise<AuthAnswer> {
    const accessToken = await auth.accessToken();
    if (accessToken === undefined) return refused(clientError('unauthenticated-user'));
    return ask(accessToken);
  }

  return {
    post: (path, body, signal = stopping) =>
      withToken((accessToken) => api.post(path, { body, signal, accessToken })),
    get: (path) => withToken((accessToken) => api.get(path, { signal: stopping, accessToken })),
    delete: (path) =>
      withToken((accessToken) => api.delete(path, { signal: stopping, accessToken })),
  };
}
