import { generateSync } from 'otplib';

const STEP_SECONDS = 30;

/** An authenticator app. A code signs in once; the server also accepts the codes one step before and after. */
export function authenticator(secret: string) {
  const codeAt = (steps: number) =>
    generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * STEP_SECONDS });
  return {
    code: () => codeAt(0),
    /** The code half a minute later. */
    nextCode: () => codeAt(1),
    wrongCode(): string {
      const near = [-2, -1, 0, 1, 2].map(codeAt);
      const codes = ['000000', '111111', '222222', '333333', '444444', '555555'];
      return codes.find((code) => !near.includes(code)) ?? '';
    },
  };
}
