import {
  type Client,
  createBrowserClient,
  type FlowResult,
  type SignInResult,
} from '@longshore/client';
import { type ConsoleConfig, ROUTES } from '@longshore/contract';
import type { AuthPort, Backend, RequestOutcome, SignInOutcome } from './backend.ts';
import { createLiveBackend } from './live-backend.ts';

/** Where links in mails lead. */
const TO_DASHBOARD = { redirectTo: ROUTES.dashboard };
const TO_NEW_PASSWORD = { redirectTo: ROUTES.newPassword };

/** The one place that knows the client's shape. */
export function createBrowserBackend(config: ConsoleConfig, now: Backend['now']): Backend {
  const client = createBrowserClient(config.services, logError);
  return {
    config,
    auth: authPort(client),
    now,
    goLive: (userId) => createLiveBackend(client, userId),
  };
}

/** Spec §8: what went wrong and was survived is logged. */
function logError(event: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a page has no other log.
  console.error(event, error);
}

function authPort({ auth, account }: Client): AuthPort {
  return {
    state: auth.state,
    subscribe: auth.subscribe,
    signIn: async (credentials) => outcomeOf(await auth.signIn(credentials)),
    signUp: async (credentials) => outcomeOf(await auth.signUp(credentials)),
    async signOut() {
      await auth.signOut();
    },
    async sendVerificationEmail(email) {
      const { sendVerificationEmail } = await account();
      return requestOutcomeOf(
        await sendVerificationEmail.request({ email, options: TO_DASHBOARD }),
      );
    },
    async sendResetLink(email) {
      const { resetPassword } = await account();
      return requestOutcomeOf(await resetPassword.request({ email, options: TO_NEW_PASSWORD }));
    },
    async changePassword(newPassword) {
      const { changePassword } = await account();
      return requestOutcomeOf(await changePassword.request({ newPassword }));
    },
  };
}

function requestOutcomeOf(result: FlowResult): RequestOutcome {
  return result.ok ? result : { ok: false, message: result.error.message };
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
