import {
  type Account,
  type BrowserClient,
  createBrowserClient,
  type FlowResult,
  type SignInResult,
} from '@longshore/client';
import { type ConsoleConfig, ROUTES } from '@longshore/contract';
import type { AuthPort, Backend, RequestOutcome, SignInOutcome } from './backend.ts';

/** Where links in mails lead. */
const TO_DASHBOARD = { redirectTo: ROUTES.dashboard };
const TO_NEW_PASSWORD = { redirectTo: ROUTES.newPassword };

export function createBrowserBackend(config: ConsoleConfig, now: Backend['now']): Backend {
  return createBackend(createBrowserClient(config.services, logError), config, now);
}

/** The one place that knows the client's shape. */
export function createBackend(
  client: BrowserClient,
  config: ConsoleConfig,
  now: Backend['now'],
): Backend {
  return {
    config,
    auth: authPort(client, config),
    now,
    async goLive(userId) {
      const [{ createLiveBackend }, services] = await Promise.all([
        import('./live-backend.ts'),
        client.services(),
      ]);
      return createLiveBackend(services, userId);
    },
  };
}

/** Spec §8: what went wrong and was survived is logged. */
function logError(event: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a page has no other log.
  console.error(event, error);
}

function authPort({ auth, services }: BrowserClient, config: ConsoleConfig): AuthPort {
  let { needsSetupCode = false } = config;

  /** Without a message where the part of the client for it could not be loaded: the screen has its own words. */
  async function asked(
    request: (account: Account) => Promise<FlowResult>,
  ): Promise<RequestOutcome> {
    const loaded = await services().catch(() => undefined);
    if (loaded === undefined) return { ok: false, message: '' };
    const result = await request(loaded.account);
    return result.ok ? result : { ok: false, message: result.error.message };
  }

  return {
    state: auth.state,
    subscribe: auth.subscribe,
    signIn: async (credentials) => outcomeOf(await auth.signIn(credentials)),
    async signUp(request) {
      const outcome = outcomeOf(await auth.signUp(request));
      needsSetupCode &&= outcome.kind === 'failed';
      return outcome;
    },
    needsSetupCode: () => needsSetupCode,
    signInWithCode: async (otp) => outcomeOf(await auth.signInBy({ kind: 'mfa-totp', otp })),
    signInWithSecurityKey: async () =>
      outcomeOf(await auth.signInBy({ kind: 'security-key', securityKey: true })),
    async signOut() {
      await auth.signOut();
    },
    sendVerificationEmail: (email) =>
      asked(({ sendVerificationEmail }) =>
        sendVerificationEmail.request({ email, options: TO_DASHBOARD }),
      ),
    sendResetLink: (email) =>
      asked(({ resetPassword }) => resetPassword.request({ email, options: TO_NEW_PASSWORD })),
    changePassword: (newPassword) =>
      asked(({ changePassword }) => changePassword.request({ newPassword })),
  };
}

function outcomeOf(result: SignInResult): SignInOutcome {
  switch (result.kind) {
    case 'signed-in':
    case 'needs-email-verification':
      return result;
    case 'needs-mfa':
      return { kind: 'needs-code' };
    case 'needs-otp':
      return { kind: 'failed', message: 'This account needs a code that was sent to you' };
    case 'failed':
      return { kind: 'failed', message: result.error.message };
  }
}
