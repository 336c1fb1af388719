import { AUTH_PATHS, clientError, isEmail } from '@longshore/contract';
import type { AuthApi } from '../auth/auth-api.ts';
import { isPassword } from '../auth/sign-in-attempt.ts';
import { withResolvedRedirect } from '../auth/url-parameters.ts';
import type { AddressBar } from '../ports.ts';
import type { AccountFlows, RedirectOptions } from './account.ts';
import { createFlow } from './flow.ts';
import { failure } from './read-response.ts';
import type { UserRequests } from './user-requests.ts';

export type AccountFlowsDeps = {
  api: Pick<AuthApi, 'post'>;
  userRequests: UserRequests;
  addressBar?: AddressBar | undefined;
};

/** Changing the email or password and sending emails (spec-map 4.1.35–38). */
export function createAccountFlows({
  api,
  userRequests,
  addressBar,
}: AccountFlowsDeps): AccountFlows {
  const resolved = (options?: RedirectOptions) => withResolvedRedirect(options, addressBar);

  function mailFlow(path: string) {
    return createFlow<{ email: string; options?: RedirectOptions }>(
      async ({ email, options }, signal) => {
        if (!isEmail(email)) return failure(clientError('invalid-email'));
        return api.post(path, { body: { email, options: resolved(options) }, signal });
      },
    );
  }

  return {
    changeEmail: createFlow(async ({ newEmail, options }, signal) => {
      if (!isEmail(newEmail)) return failure(clientError('invalid-email'));
      const body = { newEmail, options: resolved(options) };
      return userRequests.post(AUTH_PATHS.changeEmail, body, signal);
    }),
    changePassword: createFlow(async (body, signal) => {
      if (!isPassword(body.newPassword)) return failure(clientError('invalid-password'));
      if (body.ticket === undefined)
        return userRequests.post(AUTH_PATHS.changePassword, body, signal);
      return api.post(AUTH_PATHS.changePassword, { body, signal });
    }),
    resetPassword: mailFlow(AUTH_PATHS.resetPassword),
    sendVerificationEmail: mailFlow(AUTH_PATHS.sendVerificationEmail),
  };
}
