import { AUTH_PATHS, isTotpSecret } from '@longshore/contract';
import type { SecondFactor } from './account.ts';
import { done, readAnswer } from './answer.ts';
import type { AsUser } from './as-user.ts';

export function createSecondFactor(asUser: AsUser): SecondFactor {
  const change = (activeMfaType: 'totp' | '') => async (code: string) =>
    done(await asUser.post(AUTH_PATHS.changeMfa, { code, activeMfaType }));
  return {
    async generateTotp() {
      return readAnswer(await asUser.get(AUTH_PATHS.generateTotp), isTotpSecret);
    },
    activateTotp: change('totp'),
    deactivateTotp: change(''),
  };
}
