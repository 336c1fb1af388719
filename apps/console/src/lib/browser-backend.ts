import { type Client, createBrowserClient, type SignInResult } from '@longshore/client';
import type { ConsoleConfig } from '@longshore/contract';
import type { AuthPort, Backend, SignInOutcome } from './backend.ts';
import { createLiveBackend } from './live-backend.ts';

/** The one place that knows the client's shape. */
export function createBrowserBackend(config: ConsoleConfig, now: Backend['now']): Backend {
  const client = createBrowserClient(config.services);
  return {
    config,
    auth: authPort(client),
    now,
    goLive: (userId) => createLiveBackend(client, userId),
  };
}

function authPort({ auth }: Client): AuthPort {
  return {
    state: auth.state,
    subscribe: auth.subscribe,
    signIn: async (credentials) => outcomeOf(await auth.signIn(credentials)),
    signUp: async (credentials) => outcomeOf(await auth.signUp(credentials)),
    async signOut() {
      await auth.signOut();
    },
  };
}

function outcomeOf(result: SignInResult): SignInOutcome {
  switch (result.kind) {
    case 'signed-in':
    case 'needs-email-verification':
      return result;
    case 'needs-otp':
    case 'needs-mfa':
      return { kind: 'failed', message: 'This account needs a second factor' };
    case 'failed':
      return { kind: 'failed', message: result.error.message };
  }
}
