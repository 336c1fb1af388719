import { AUTH_PATHS, clientError, isEmail } from '@longshore/contract';
import type { AuthApi } from '../auth/auth-api.ts';
import { withRedirect } from '../auth/redirect-option.ts';
import { isPassword } from '../auth/sign-in-attempt.ts';
import type { Address } from '../ports.ts';
import type { AccountFlows, RedirectOptions } from './account.ts';
import { refused } from './answer.ts';
import type { AsUser } from './as-user.ts';
import { createFlow } from './flow.ts';

export type AccountFlowsDeps = {
  api: Pick<AuthApi, 'post'>;
  asUser: AsUser;
  address?: Address | undefined;
};

/** Spec §4, Smaller flows. */
export function createAccountFlows({ api, asUser, address }: AccountFlowsDeps): AccountFlows {
  const resolved = (options?: RedirectOptions) => withRedirect(options, { address });

  function mailFlow(path: string) {
    return createFlow<{ email: string; options?: RedirectOptions }>(
      async ({ email, options }, signal) => {
        if (!isEmail(email)) return refused(clientError('invalid-email'));
        return api.post(path, { body: { email, options: resolved(options) }, signal });
      },
    );
  }

  return {
    changeEmail: createFlow(async ({ newEmail, options }, signal) => {
      if (!isEmail(newEmail)) return refused(clientError('invalid-email'));
      const body = { newEmail, options: resolved(options) };
      return asUser.post(AUTH_PATHS.changeEmail, body, signal);
    }),
    changePassword: createFlow(async (body, signal) => {
      if (!isPassword(body.newPassword)) return refused(clientError('invalid-password'));
      if (body.ticket === undefined) return asUser.post(AUTH_PATHS.changePassword, body, signal);
      return api.post(AUTH_PATHS.changePassword, { body, signal });
    }),
    resetPassword: mailFlow(AUTH_PATHS.resetPassword),
    sendVerificationEmail: mailFlow(AUTH_PATHS.sendVerificationEmail),
  };
}
