import type {
  Account,
  AuthState,
  BrowserClient,
  Credentials,
  FlowResult,
  SignInResult,
  SignUpRequest,
} from '@longshore/client';
import { ROUTES } from '@longshore/contract';
import { returnPathOf } from '../lib/return-path.ts';
import { useObservable } from '../lib/use-observable.ts';
import { useClient, useSetupCode } from './console-environment.tsx';
import { type Request, useRequest } from './use-request.ts';

const TO_NEW_PASSWORD = { redirectTo: ROUTES.newPassword };

export function useAuthState(): AuthState {
  return useObservable(useClient().auth);
}

export function useSignIn(): Request<Credentials, SignInResult> {
  return useRequest(useClient().auth.signIn);
}

export function useSignUp(): Request<SignUpRequest, SignInResult> {
  const { auth } = useClient();
  const { setNeeded } = useSetupCode();
  return useRequest(async (request) => {
    const redirectTo = requestedPage();
    const options = redirectTo === undefined ? {} : { options: { redirectTo } };
    const result = await auth.signUp({ ...request, ...options });
    if (result.kind !== 'failed') setNeeded(false);
    return result;
  });
}

/** The second step of a sign-in: takes the code of the authenticator app. */
export function useSignInWithCode(): Request<string, SignInResult> {
  const { auth } = useClient();
  return useRequest((otp) => auth.signInBy({ kind: 'mfa-totp', otp }));
}

/** The browser lists the security keys stored for this site. */
export function useSignInWithSecurityKey(): Request<void, SignInResult> {
  const { auth } = useClient();
  return useRequest(() => auth.signInBy({ kind: 'security-key', securityKey: true }));
}

export function useSignOut(): () => Promise<unknown> {
  const { auth } = useClient();
  return () => auth.signOut();
}

/** Takes the email address of the recipient. */
export function useVerificationMail(): Request<string, FlowResult> {
  return useAccountRequest(({ sendVerificationEmail }, email) =>
    sendVerificationEmail.request({
      email,
      options: { redirectTo: requestedPage() ?? ROUTES.dashboard },
    }),
  );
}

/** Takes the email address of the recipient. */
export function useResetMail(): Request<string, FlowResult> {
  return useAccountRequest(({ resetPassword }, email) =>
    resetPassword.request({ email, options: TO_NEW_PASSWORD }),
  );
}

/** Takes the new password. */
export function useChangePassword(): Request<string, FlowResult> {
  return useAccountRequest(({ changePassword }, newPassword) =>
    changePassword.request({ newPassword }),
  );
}

function useAccountRequest(
  request: (account: Account, input: string) => Promise<FlowResult>,
): Request<string, FlowResult> {
  const client = useClient();
  return useRequest(async (input) => {
    const account = await loadAccount(client);
    return account === undefined ? NOT_LOADED : request(account, input);
  });
}

async function loadAccount(client: BrowserClient): Promise<Account | undefined> {
  const services = await client.services().catch(() => undefined);
  return services?.account;
}

/** The code of the account service could not be loaded. Without a message, so that the screen shows its own text. */
const NOT_LOADED: FlowResult = { ok: false, error: { status: 0, error: 'network', message: '' } };

/** The dashboard page that the visitor requested: links in emails open it in another tab. */
function requestedPage(): string | undefined {
  return returnPathOf(sessionStorage, { origin: window.location.origin });
}
