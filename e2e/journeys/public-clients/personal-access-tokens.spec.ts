import { authError } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { connectNhost3, connectNhost4, NHOST_3, newEmail, PASSWORD } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });
const inOneHour = () => new Date(Date.now() + 3_600_000);

describe.each(NHOST_3)('%s', (name) => {
  const connect = () => connectNhost3(name, longshore.url);

  it('creates a token, signs in with it repeatedly, and loses it on sign-out everywhere', async () => {
    const nhost = connect();
    const { session } = await nhost.auth.signUp({ email: newEmail(), password: PASSWORD });
    const { data, error } = await nhost.auth.createPAT(inOneHour(), { name: 'CI' });
    expect(error).toBeNull();
    for (const tokenClient of [connect(), connect()]) {
      const signedIn = await tokenClient.auth.signInPAT(data.personalAccessToken);
      expect(signedIn.error).toBeNull();
      expect(signedIn.session.user.id).toBe(session.user.id);
    }
    await nhost.auth.signOut({ all: true });
    const late = await connect().auth.signInPAT(data.personalAccessToken);
    expect(late.error).toEqual(authError('invalid-pat'));
  });

  it('keeps the token after a password change', async () => {
    const nhost = connect();
    await nhost.auth.signUp({ email: newEmail(), password: PASSWORD });
    const { data } = await nhost.auth.createPAT(inOneHour());
    await nhost.auth.changePassword({ newPassword: 'the lamps along the quay' });
    expect((await connect().auth.signInPAT(data.personalAccessToken)).error).toBeNull();
  });
});

it('nhost-js 4 creates a token and signs in with it; the token does not work as a refresh token', async () => {
  const nhost = connectNhost4(longshore.url);
  const { body } = await nhost.auth.signUpEmailPassword({ email: newEmail(), password: PASSWORD });
  const expiresAt = inOneHour().toISOString();
  const { personalAccessToken } = (await nhost.auth.createPAT({ expiresAt })).body;
  const tokenClient = connectNhost4(longshore.url);
  const signedIn = await tokenClient.auth.signInPAT({ personalAccessToken });
  expect(signedIn.body.session.user.id).toBe(body.session.user.id);
  expect((await tokenClient.auth.getUser()).body.id).toBe(body.session.user.id);
  const tokenAsRefreshToken = tokenClient.auth.refreshToken({ refreshToken: personalAccessToken });
  await expect(tokenAsRefreshToken).rejects.toMatchObject({
    body: authError('invalid-refresh-token'),
  });
});
