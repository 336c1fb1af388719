import { AUTH_PATHS, clientError, isEmail, isRecord } from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { AuthApi } from '../auth/auth-api.ts';
import { withRedirect } from '../auth/redirect-option.ts';
import type { SecurityKeys } from '../auth/security-keys.ts';
import { isPassword } from '../auth/sign-in-attempt.ts';
import type { Address } from '../ports.ts';
import type { Account } from './account.ts';
import { done, readAnswer, refused } from './answer.ts';
import { createFlow } from './flow.ts';
import { type ProviderOptions, providerUrl } from './provider-url.ts';
import { createWithKey } from './with-key.ts';

export type AccountDeps = {
  /** The auth service. */
  url: string;
  api: AuthApi;
  auth: Pick<Auth, 'state' | 'accessToken' | 'adopt'>;
  securityKeys: SecurityKeys;
  address?: Address | undefined;
};

export function createAccount(deps: AccountDeps): Account {
  const { api, auth, url, address } = deps;
  const stopping = new AbortController();
  const redirecting = { address };

  async function asUser(path: string, body: unknown, signal = stopping.signal) {
    const accessToken = await auth.accessToken();
    if (accessToken === undefined) return refused(clientError('unauthenticated-user'));
    return api.post(path, { body, signal, accessToken });
  }

  const flows = {
    changeEmail: createFlow<{ newEmail: string; options?: { redirectTo?: string } }>(
      async ({ newEmail, options }, signal) => {
        if (!isEmail(newEmail)) return refused(clientError('invalid-email'));
        const body = { newEmail, options: withRedirect(options, redirecting) };
        return asUser(AUTH_PATHS.changeEmail, body, signal);
      },
    ),
    changePassword: createFlow<{ newPassword: string; ticket?: string }>(async (body, signal) => {
      if (!isPassword(body.newPassword)) return refused(clientError('invalid-password'));
      if (body.ticket === undefined) return asUser(AUTH_PATHS.changePassword, body, signal);
      return api.post(AUTH_PATHS.changePassword, { body, signal });
    }),
    resetPassword: mailFlow(AUTH_PATHS.resetPassword),
    sendVerificationEmail: mailFlow(AUTH_PATHS.sendVerificationEmail),
  };

  function mailFlow(path: string) {
    return createFlow<{ email: string; options?: { redirectTo?: string } }>(
      async ({ email, options }, signal) => {
        if (!isEmail(email)) return refused(clientError('invalid-email'));
        const body = { email, options: withRedirect(options, redirecting) };
        return api.post(path, { body, signal });
      },
    );
  }

  return {
    ...flows,
    ...createWithKey({ ...deps, asUser, signal: stopping.signal }),
    async createPersonalAccessToken({ expiresAt, metadata }) {
      const body = { expiresAt: expiresAt.toISOString(), metadata };
      return readAnswer(await asUser(AUTH_PATHS.createPat, body), isPersonalAccessToken);
    },
    async linkIdToken({ provider, idToken, nonce }) {
      return done(await asUser(AUTH_PATHS.linkIdToken, { provider, idToken, nonce }));
    },
    async connectProviderUrl(provider: string, options: ProviderOptions = {}) {
      const connect = await auth.accessToken();
      if (connect === undefined) return refused(clientError('unauthenticated-user'));
      const wish = { url, provider, options: { ...options, connect }, href: address?.href() };
      return { ok: true, value: providerUrl(wish) };
    },
    stop() {
      stopping.abort();
      for (const flow of Object.values(flows)) flow.stop();
    },
  };
}

function isPersonalAccessToken(body: unknown): body is { id: string; personalAccessToken: string } {
  return isRecord(body) && typeof body.personalAccessToken === 'string';
}
