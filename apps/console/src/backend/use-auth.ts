import { useObservable } from '../lib/use-observable.ts';
import type {
  AuthState,
  Credentials,
  RequestOutcome,
  SignInOutcome,
  SignUpRequest,
} from './backend.ts';
import { useBackend } from './backend-context.tsx';
import { type Request, useRequest } from './use-request.ts';

export function useAuthState(): AuthState {
  return useObservable(useBackend().auth);
}

export function useSignIn(): Request<Credentials, SignInOutcome> {
  return useRequest(useBackend().auth.signIn);
}

export function useSignUp(): Request<SignUpRequest, SignInOutcome> {
  return useRequest(useBackend().auth.signUp);
}

export function useNeedsSetupCode(): boolean {
  return useBackend().auth.needsSetupCode();
}

/** Takes the code of an authenticator app. */
export function useSignInWithCode(): Request<string, SignInOutcome> {
  return useRequest(useBackend().auth.signInWithCode);
}

export function useSignInWithSecurityKey(): Request<void, SignInOutcome> {
  return useRequest(useBackend().auth.signInWithSecurityKey);
}

export function useSignOut(): () => Promise<void> {
  return useBackend().auth.signOut;
}

/** Takes the address that the mail goes to. */
export function useVerificationMail(): Request<string, RequestOutcome> {
  return useRequest(useBackend().auth.sendVerificationEmail);
}

/** Takes the address that the mail goes to. */
export function useResetMail(): Request<string, RequestOutcome> {
  return useRequest(useBackend().auth.sendResetLink);
}

/** Takes the new password. */
export function useChangePassword(): Request<string, RequestOutcome> {
  return useRequest(useBackend().auth.changePassword);
}
