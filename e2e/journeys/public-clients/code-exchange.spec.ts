import { authError } from '@longshore/contract';
import { expect, it } from 'vitest';
import { followLink } from '../../support/follow-link.ts';
import { connectNhost4, generatePKCEPair, newEmail, PASSWORD } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const longshore = sharedLongshore();
const REFUSED = authError('invalid-request');
const connect = () => connectNhost4(longshore.url);

type Nhost4 = ReturnType<typeof connect>;

type SendLink = (nhost: Nhost4, email: string, codeChallenge: string) => Promise<unknown>;

/** Every request that sends a link by email, with the link's type. */
const LINK_REQUESTS: [type: string, send: SendLink][] = [
  [
    'verifyEmail',
    ({ auth }, email, codeChallenge) =>
      auth.signUpEmailPassword({ email, password: PASSWORD, codeChallenge }),
  ],
  [
    'verifyEmail',
    async ({ auth }, email, codeChallenge) => {
      await auth.signUpEmailPassword({ email, password: PASSWORD });
      await longshore.mails.linkTo(email);
      await auth.sendVerificationEmail({ email, codeChallenge });
    },
  ],
  [
    'passwordlessEmail',
    ({ auth }, email, codeChallenge) => auth.signInPasswordlessEmail({ email, codeChallenge }),
  ],
  [
    'passwordReset',
    async (nhost, email, codeChallenge) => {
      await verified(nhost, email);
      await nhost.auth.sendPasswordResetEmail({ email, codeChallenge });
    },
  ],
  [
    'emailConfirmChange',
    async (nhost, newEmailAddress, codeChallenge) => {
      await verified(nhost, newEmail());
      await nhost.auth.changeUserEmail({ newEmail: newEmailAddress, codeChallenge });
    },
  ],
];

it.each(LINK_REQUESTS)(
  'nhost-js 4 exchanges the code of a link (%s) for a session once',
  async (type, send) => {
    const email = newEmail();
    const { verifier, challenge } = await generatePKCEPair();
    await send(connect(), email, challenge);
    const { parameters } = await followLink(await longshore.mails.linkTo(email));
    expect(parameters).toEqual({ type, code: expect.any(String) });

    const nhost = connect();
    const exchange = { code: parameters.code, codeVerifier: verifier };
    const { body } = await nhost.auth.tokenExchange(exchange);
    expect(body.session.user).toMatchObject({ email, emailVerified: true });
    // The client stores the session and uses it from then on.
    expect((await nhost.auth.getUser()).body.email).toBe(email);
    expect(await nhost.refreshSession(100_000)).toBeTruthy();
    await expect(connect().auth.tokenExchange(exchange)).rejects.toMatchObject({ body: REFUSED });
  },
);

it('nhost-js 4 is refused with another verifier', async () => {
  const email = newEmail();
  const [pair, otherPair] = [await generatePKCEPair(), await generatePKCEPair()];
  await connect().auth.signInPasswordlessEmail({ email, codeChallenge: pair.challenge });
  const { parameters } = await followLink(await longshore.mails.linkTo(email));
  const stolen = { code: parameters.code, codeVerifier: otherPair.verifier };
  await expect(connect().auth.tokenExchange(stolen)).rejects.toMatchObject({ body: REFUSED });
});

/** Signs a client in with an email address that was verified by a link. */
async function verified(nhost: Nhost4, email: string): Promise<void> {
  await nhost.auth.signInPasswordlessEmail({ email });
  const { parameters } = await followLink(await longshore.mails.linkTo(email));
  await nhost.auth.refreshToken({ refreshToken: parameters.refreshToken });
}
