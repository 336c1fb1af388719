import * as clientOfAuth from 'nhost-js-4/auth';
import { describe, expect, it } from 'vitest';
import { followLink } from '../../support/follow-link.ts';
import { longshoreOfFile } from '../../support/longshore-of-file.ts';
import { connectNhost4, newEmail, PASSWORD } from '../../support/nhost.ts';

type Pair = { verifier: string; challenge: string };
/** Its types are written for bundlers, and name no exports to others. */
const { generatePKCEPair } = clientOfAuth as unknown as { generatePKCEPair(): Promise<Pair> };

/** With a mail server, addresses must be verified before anybody signs in. */
const longshore = longshoreOfFile();

describe('nhost-js 4 with a challenge', () => {
  const connect = () => connectNhost4(longshore.url);

  it('gets a code from the link of a sign-up, and a session for it, once', async () => {
    const { verifier, challenge } = await generatePKCEPair();
    const nhost = connect();
    const email = newEmail();
    await nhost.auth.signUpEmailPassword({ email, password: PASSWORD, codeChallenge: challenge });
    const { says } = await followLink(await longshore.mails.linkTo(email));
    expect(Object.keys(says).sort()).toEqual(['code', 'type']);
    const code = says.code ?? '';
    const { body } = await nhost.auth.tokenExchange({ code, codeVerifier: verifier });
    expect(body.session?.user).toMatchObject({ email, emailVerified: true });
    // The client keeps the session and goes on with it by itself.
    expect((await nhost.auth.getUser()).body.email).toBe(email);
    expect(await nhost.refreshSession(100_000)).toBeTruthy();
    const again = connect().auth.tokenExchange({ code, codeVerifier: verifier });
    await expect(again).rejects.toMatchObject({ status: 400, body: { error: 'invalid-request' } });
  });

  it('gets nothing for a code with another verifier', async () => {
    const { challenge } = await generatePKCEPair();
    const email = newEmail();
    await connect().auth.signInPasswordlessEmail({ email, codeChallenge: challenge });
    const { says } = await followLink(await longshore.mails.linkTo(email));
    const { verifier } = await generatePKCEPair();
    const stolen = connect().auth.tokenExchange({ code: says.code ?? '', codeVerifier: verifier });
    await expect(stolen).rejects.toMatchObject({ status: 400, body: { error: 'invalid-request' } });
  });
});
