import { authError, clientError } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { connectNhost3, connectNhost4, NHOST_3, newEmail, PASSWORD } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

// The older clients replace the server's error with their own.
const REFUSED = clientError('invalid-refresh-token');
const NEW_PASSWORD = 'the lamps along the quay';

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });

describe.each(NHOST_3)('%s', (name) => {
  const connect = () => connectNhost3(name, longshore.url);

  it('signs up, queries, refreshes, signs out and in again', async () => {
    const email = newEmail();
    const nhost = connect();
    const { session, error } = await nhost.auth.signUp({ email, password: PASSWORD });
    expect(error).toBeNull();
    expect(session.user).toMatchObject({ email, displayName: email, defaultRole: 'user' });
    expect(nhost.auth.getHasuraClaims()).toMatchObject({
      'x-hasura-user-id': session.user.id,
      'x-hasura-default-role': 'user',
      'x-hasura-user-is-anonymous': 'false',
    });
    expect(await nhost.graphql.request('query Q { resources { id } }')).toEqual({
      data: { resources: [] },
      error: null,
    });
    const refreshed = await nhost.auth.refreshSession();
    expect(refreshed.error).toBeNull();
    expect(refreshed.session.refreshToken).not.toBe(session.refreshToken);
    expect(await nhost.auth.signOut()).toEqual({ error: null });
    expect(nhost.auth.isAuthenticated()).toBe(false);
    const again = await nhost.auth.signIn({ email, password: PASSWORD });
    expect(again.error).toBeNull();
    expect(again.session.user.id).toBe(session.user.id);
  });

  it('sends the profile fields at sign-up', async () => {
    const options = { displayName: 'Ada', locale: 'de', metadata: { ship: 'Argo' } };
    const { session } = await connect().auth.signUp({
      email: newEmail(),
      password: PASSWORD,
      options,
    });
    expect(session.user).toMatchObject(options);
  });

  it('stays signed in after a password change; the old password is refused', async () => {
    const email = newEmail();
    const nhost = connect();
    await nhost.auth.signUp({ email, password: PASSWORD });
    expect(await nhost.auth.changePassword({ newPassword: NEW_PASSWORD })).toEqual({ error: null });
    expect((await nhost.auth.refreshSession()).error).toBeNull();
    const refused = await connect().auth.signIn({ email, password: PASSWORD });
    expect(refused.error).toEqual(authError('invalid-email-password'));
    const signedIn = await connect().auth.signIn({ email, password: NEW_PASSWORD });
    expect(signedIn.session.user.email).toBe(email);
  });

  it('signs out of one session or of all', async () => {
    const email = newEmail();
    const [phone, laptop, desk] = [connect(), connect(), connect()];
    await phone.auth.signUp({ email, password: PASSWORD });
    for (const client of [laptop, desk]) await client.auth.signIn({ email, password: PASSWORD });
    const phoneToken = phone.auth.getSession().refreshToken;
    await phone.auth.signOut();
    expect((await connect().auth.refreshSession(phoneToken)).error).toEqual(REFUSED);
    expect((await laptop.auth.refreshSession()).error).toBeNull();
    expect(await laptop.auth.signOut({ all: true })).toEqual({ error: null });
    expect((await desk.auth.refreshSession()).error).toEqual(REFUSED);
  });
});

describe('nhost-js 4', () => {
  const connect = () => connectNhost4(longshore.url);

  it('signs up, queries, refreshes, signs out and in again', async () => {
    const email = newEmail();
    const nhost = connect();
    const { body } = await nhost.auth.signUpEmailPassword({ email, password: PASSWORD });
    expect(body.session.user).toMatchObject({ email, displayName: email, defaultRole: 'user' });
    const response = await nhost.graphql.request({ query: '{ resources { id } }' });
    expect(response.body).toEqual({ data: { resources: [] } });
    expect((await nhost.auth.getUser()).body).toMatchObject({ email, activeMfaType: null });
    const { refreshToken } = nhost.getUserSession();
    expect((await nhost.auth.signOut({ refreshToken })).body).toBe('OK');
    expect(nhost.getUserSession()).toBeNull();
    const again = await connect().auth.signInEmailPassword({ email, password: PASSWORD });
    expect(again.body.session.user.id).toBe(body.session.user.id);
  });

  it('stays signed in after a password change; the old password is refused', async () => {
    const email = newEmail();
    const nhost = connect();
    await nhost.auth.signUpEmailPassword({ email, password: PASSWORD });
    const { body } = await nhost.auth.changeUserPassword({ newPassword: NEW_PASSWORD });
    expect(body).toBe('OK');
    expect((await nhost.auth.refreshToken(nhost.getUserSession())).body.user.email).toBe(email);
    const old = { email, password: PASSWORD };
    await expect(connect().auth.signInEmailPassword(old)).rejects.toMatchObject({ status: 401 });
    const fresh = { email, password: NEW_PASSWORD };
    expect((await connect().auth.signInEmailPassword(fresh)).status).toBe(200);
  });

  it('signs out of one session or of all', async () => {
    const credentials = { email: newEmail(), password: PASSWORD };
    const [phone, laptop, desk] = [connect(), connect(), connect()];
    await phone.auth.signUpEmailPassword(credentials);
    for (const client of [laptop, desk]) await client.auth.signInEmailPassword(credentials);
    const { refreshToken } = phone.getUserSession();
    await phone.auth.signOut({ refreshToken });
    const refused = { body: authError('invalid-refresh-token') };
    await expect(connect().auth.refreshToken({ refreshToken })).rejects.toMatchObject(refused);
    expect((await laptop.auth.refreshToken(laptop.getUserSession())).status).toBe(200);
    await laptop.auth.signOut({ all: true });
    await expect(desk.auth.refreshToken(desk.getUserSession())).rejects.toMatchObject(refused);
  });
});
