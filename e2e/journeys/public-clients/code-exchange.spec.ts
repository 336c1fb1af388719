import { authError } from '@longshore/contract';
import { expect, it } from 'vitest';
import { followLink } from '../../support/follow-link.ts';
import { longshoreOfFile } from '../../support/longshore-of-file.ts';
import { connectNhost4, generatePKCEPair, newEmail, PASSWORD } from '../../support/nhost.ts';

const longshore = longshoreOfFile();
const REFUSED = authError('invalid-request');
const connect = () => connectNhost4(longshore.url);

type Nhost4 = ReturnType<typeof connect>;

/** Every way to have a link mailed, by what the link says it was for. */
const WAYS: [string, (nhost: Nhost4, email: string, codeChallenge: string) => Promise<unknown>][] =
  [
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

it.each(WAYS)(
  'nhost-js 4 exchanges the code of a link (%s) for a session, once',
  async (type, ask) => {
    const email = newEmail();
    const { verifier, challenge } = await generatePKCEPair();
    await ask(connect(), email, challenge);
    const { says } = await followLink(await longshore.mails.linkTo(email));
    expect(says).toEqual({ type, code: expect.any(String) });

    const nhost = connect();
    const exchange = { code: says.code, codeVerifier: verifier };
    const { body } = await nhost.auth.tokenExchange(exchange);
    expect(body.session.user).toMatchObject({ email, emailVerified: true });
    // The client keeps the session and goes on with it by itself.
    expect((await nhost.auth.getUser()).body.email).toBe(email);
    expect(await nhost.refreshSession(100_000)).toBeTruthy();
    await expect(connect().auth.tokenExchange(exchange)).rejects.toMatchObject({ body: REFUSED });
  },
);

it('nhost-js 4 is refused with the verifier of another', async () => {
  const email = newEmail();
  const [mine, another] = [await generatePKCEPair(), await generatePKCEPair()];
  await connect().auth.signInPasswordlessEmail({ email, codeChallenge: mine.challenge });
  const { says } = await followLink(await longshore.mails.linkTo(email));
  const stolen = { code: says.code, codeVerifier: another.verifier };
  await expect(connect().auth.tokenExchange(stolen)).rejects.toMatchObject({ body: REFUSED });
});

/** Signs a client in with an address that its mail has proven. */
async function verified(nhost: Nhost4, email: string): Promise<void> {
  await nhost.auth.signInPasswordlessEmail({ email });
  const { says } = await followLink(await longshore.mails.linkTo(email));
  await nhost.auth.refreshToken({ refreshToken: says.refreshToken });
}
