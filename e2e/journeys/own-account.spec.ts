import { describe, expect, it } from 'vitest';
import { authenticator } from '../support/authenticator.ts';
import { newEmail, PASSWORD } from '../support/nhost.ts';
import { connectOwnClient, signUpOwnClient } from '../support/own-client.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });
const connect = () => connectOwnClient(longshore.url);

async function expectOk<Value>(
  promise: Promise<{ ok: true; data: Value } | { ok: false; error: unknown }>,
): Promise<Value> {
  const result = await promise;
  expect(result).toMatchObject({ ok: true });
  return (result as { data: Value }).data;
}

describe('a user of our own client', () => {
  it('enables an authenticator app, signs in with it and disables it', async () => {
    const email = newEmail();
    const { account, auth } = await signUpOwnClient(longshore.url, email);
    expect(await expectOk(account.currentUser())).toMatchObject({ email, activeMfaType: null });
    const { imageUrl, totpSecret } = await expectOk(account.generateTotp());
    expect(imageUrl).toMatch(/^data:image\/png;base64,/);
    const app = authenticator(totpSecret);
    expect(await account.activateTotp(app.wrongCode())).toMatchObject({
      error: { status: 401, error: 'invalid-totp' },
    });
    await expectOk(account.activateTotp(app.code()));
    await expectOk(account.currentUser());
    expect(auth.state()).toMatchObject({ user: { email, activeMfaType: 'totp' } });

    await auth.signOut();
    expect(await auth.signIn({ email, password: PASSWORD })).toEqual({ kind: 'needs-mfa' });
    const otp = app.code();
    expect(await auth.signInBy({ kind: 'mfa-totp', otp })).toEqual({ kind: 'signed-in' });
    const [recoveryCode = ''] = await expectOk(account.generateRecoveryCodes(app.nextCode()));

    await auth.signOut();
    await auth.signIn({ email, password: PASSWORD });
    const recovery = await auth.signInBy({ kind: 'mfa-totp', otp: recoveryCode });
    expect(recovery).toEqual({ kind: 'signed-in' });
    expect(await expectOk(account.countRecoveryCodes())).toBe(9);
    await expectOk(account.deactivateTotp(app.nextCode()));
    expect(await expectOk(account.currentUser())).toMatchObject({ activeMfaType: null });
  });

  it('lists sessions and ends one', async () => {
    const email = newEmail();
    const { account } = await signUpOwnClient(longshore.url, email);
    const otherClient = connect();
    await otherClient.auth.signIn({ email, password: PASSWORD });
    const sessions = await expectOk(account.listSessions());
    expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
    await expectOk(account.revokeSession(sessions[0]?.id ?? ''));
    expect(await expectOk(account.listSessions())).toMatchObject([{ isCurrent: true }]);
    expect(await otherClient.auth.refreshSession()).toMatchObject({
      ok: false,
      error: { error: 'invalid-refresh-token' },
    });
    expect(otherClient.auth.state().kind).toBe('signed-out');
    const events = await expectOk(account.listSecurityEvents());
    expect(events.map(({ kind }) => kind)).toEqual(['session-revoked', 'signed-in', 'signed-up']);
  });

  it('signs out of all devices', async () => {
    const email = newEmail();
    const { auth } = await signUpOwnClient(longshore.url, email);
    const phone = connect();
    await phone.auth.signIn({ email, password: PASSWORD });
    expect(await auth.signOut({ all: true })).toEqual({ ok: true });
    expect(await phone.auth.refreshSession()).toMatchObject({
      ok: false,
      error: { error: 'invalid-refresh-token' },
    });
    expect(phone.auth.state().kind).toBe('signed-out');
  });

  it('creates a personal access token, signs in with it and revokes it', async () => {
    const { account } = await signUpOwnClient(longshore.url);
    const options = { expiresAt: new Date(Date.now() + 86_400_000), metadata: { name: 'CI' } };
    const { id, personalAccessToken } = await expectOk(account.createPersonalAccessToken(options));
    const tokenClient = connect();
    const method = { kind: 'personal-access-token', personalAccessToken } as const;
    expect(await tokenClient.auth.signInBy(method)).toEqual({ kind: 'signed-in' });
    expect(await expectOk(account.listPersonalAccessTokens())).toMatchObject([
      { id, metadata: { name: 'CI' }, lastUsedAt: expect.any(String) },
    ]);
    await expectOk(account.revokePersonalAccessToken(id));
    expect(await expectOk(account.listPersonalAccessTokens())).toEqual([]);
    expect(await connect().auth.signInBy(method)).toMatchObject({
      kind: 'failed',
      error: { error: 'invalid-pat' },
    });
  });

  it('gets an error for an invalid key id and for providers that are not configured', async () => {
    const { account } = await signUpOwnClient(longshore.url);
    expect(await expectOk(account.listSecurityKeys())).toEqual([]);
    expect(await account.removeSecurityKey('no key')).toMatchObject({
      error: { status: 400, error: 'invalid-request' },
    });
    expect(await account.takeProviderTokens('github')).toMatchObject({
      error: { status: 409, error: 'disabled-endpoint' },
    });
    expect(await account.refreshProviderTokens('github', 'a token')).toMatchObject({
      error: { status: 409, error: 'disabled-endpoint' },
    });
  });
});
