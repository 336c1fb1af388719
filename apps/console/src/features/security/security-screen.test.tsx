import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { failure } from '../../../test/failure.ts';
import { FAKE_CODE } from '../../../test/fake-account.ts';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { pressOutside } from '../../../test/press-outside.ts';
import { aUser } from '../../../test/resources.ts';

const SECURITY = '/dashboard/user/security';
const AT = '2025-01-01T00:00:00Z';
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36';
const NO_CLIENT = { address: null, userAgent: null };

function open(fake = createFakeClient({ resources: [] })) {
  return { fake, user: openConsole(SECURITY, fake) };
}

async function card(name: string) {
  return within(await screen.findByRole('region', { name }));
}

describe('the security page', () => {
  it('is linked from the profile', async () => {
    const user = openConsole('/dashboard/user/profile', createFakeClient({ resources: [] }));
    await user.click(await screen.findByRole('link', { name: 'Security' }));
    expect(await screen.findByRole('heading', { name: 'Security', level: 1 })).toBeTruthy();
    expect(window.location.pathname).toBe(SECURITY);
  });

  it('shows its lists together when all are loaded, to avoid layout shifts', async () => {
    const { fake } = open();
    const { promise, resolve } = Promise.withResolvers<{ ok: true; data: [] }>();
    fake.account.service.listPersonalAccessTokens = () => promise;
    expect(await screen.findByRole('heading', { name: 'Security', level: 1 })).toBeTruthy();
    expect(await screen.findByText('Loading')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Sessions' })).toBeNull();
    resolve({ ok: true, data: [] });
    expect(await card('Sessions')).toBeTruthy();
    expect(screen.queryByText('Loading')).toBeNull();
  });

  it('shows what could not be loaded, and loads it on retry', async () => {
    const { fake, user } = open();
    fake.failRequests('Service unavailable');
    const sessions = await card('Sessions');
    expect((await sessions.findByRole('alert')).textContent).toContain('Service unavailable');
    fake.failRequests(undefined);
    fake.account.sessions.push(session({ isCurrent: true }));
    await user.click(sessions.getByRole('button', { name: 'Try again' }));
    expect(await sessions.findByText('This browser')).toBeTruthy();
  });
});

describe('passkeys', () => {
  it('are added with a name, and removed after confirmation', async () => {
    const { fake, user } = open();
    const keys = await card('Passkeys');
    expect(await keys.findByText('No passkeys yet.')).toBeTruthy();
    await user.click(keys.getByRole('button', { name: 'Add passkey' }));
    await user.type(await screen.findByLabelText('Name'), 'Work laptop{Enter}');
    expect(await keys.findByText('Work laptop')).toBeTruthy();
    expect(await screen.findByText('Passkey added')).toBeTruthy();
    await user.click(keys.getByRole('button', { name: 'Remove Work laptop' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove Work laptop?' });
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
    expect(await keys.findByText('No passkeys yet.')).toBeTruthy();
    expect(fake.account.keys).toEqual([]);
  });

  it('keep the dialog open and show the error if the browser rejects the request', async () => {
    const { fake, user } = open();
    const keys = await card('Passkeys');
    await keys.findByText('No passkeys yet.');
    await user.click(keys.getByRole('button', { name: 'Add passkey' }));
    fake.failRequests('The ceremony was aborted');
    await user.type(await screen.findByLabelText('Name'), 'Phone{Enter}');
    expect(await screen.findByText('The ceremony was aborted')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Phone');
  });
});

describe('an authenticator app', () => {
  it('is turned on with a code, and off with another', async () => {
    const { user } = open();
    const authenticator = await card('Authenticator app');
    await user.click(authenticator.getByRole('button', { name: 'Set up' }));
    expect(await screen.findByAltText('QR code for your authenticator app')).toBeTruthy();
    expect(screen.getByText('ABCDEFGH')).toBeTruthy();
    await user.type(screen.getByLabelText('Code'), '000000{Enter}');
    expect(await screen.findByText('Wrong code')).toBeTruthy();
    await user.clear(screen.getByLabelText('Code'));
    await user.type(screen.getByLabelText('Code'), `${FAKE_CODE}{Enter}`);
    await saveCodes(user);
    expect(await authenticator.findByText('On')).toBeTruthy();
    await user.click(authenticator.getByRole('button', { name: 'Turn off' }));
    await user.type(await screen.findByLabelText('Code'), `${FAKE_CODE}{Enter}`);
    expect(await authenticator.findByText('Off')).toBeTruthy();
    expect(authenticator.queryByText(/recovery codes/)).toBeNull();
  });

  it('shows ten recovery codes until the user confirms having saved them', async () => {
    const { fake, user } = open();
    await turnOn(user);
    const dialog = within(await screen.findByRole('dialog', { name: 'Recovery codes' }));
    const shown = dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(shown).toEqual(fake.account.recoveryCodes);
    expect(shown).toHaveLength(10);
    for (const leave of ['Done', 'Close']) {
      await user.click(dialog.getByRole('button', { name: leave }));
      expect(dialog.getByRole('alert').textContent).toContain('Save the codes');
    }
    await user.keyboard('{Escape}');
    expect(asksBeforeUnload()).toBe(true);
    await user.click(dialog.getByRole('checkbox', { name: 'I have saved these codes' }));
    expect(asksBeforeUnload()).toBe(false);
    expect(dialog.queryByRole('alert')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByText(/^10 recovery codes left/)).toBeTruthy();
  });

  it('is on without recovery codes if only they could not be created', async () => {
    const { fake, user } = open();
    const { generateRecoveryCodes } = fake.account.service;
    fake.account.service.generateRecoveryCodes = async () => failure('Service unavailable');
    await turnOn(user);
    expect(await screen.findByText('Service unavailable')).toBeTruthy();
    fake.account.service.generateRecoveryCodes = generateRecoveryCodes;
    const authenticator = await card('Authenticator app');
    expect(await authenticator.findByText(/^No recovery codes/)).toBeTruthy();
    await user.click(authenticator.getByRole('button', { name: 'Create recovery codes' }));
    await user.type(await screen.findByLabelText('Code'), `${FAKE_CODE}{Enter}`);
    await saveCodes(user);
    expect(await authenticator.findByText(/^10 recovery codes left/)).toBeTruthy();
  });
});

describe('recovery codes', () => {
  function openWith(left: number) {
    const fake = createFakeClient({
      resources: [],
      auth: { kind: 'signed-in', user: aUser({ activeMfaType: 'totp' }) },
    });
    fake.account.recoveryCodes.push(...Array.from({ length: left }, (_, at) => `code ${at}`));
    return open(fake);
  }

  it('are replaced with a code of the app', async () => {
    const { fake, user } = openWith(2);
    const authenticator = await card('Authenticator app');
    expect(await authenticator.findByText(/^2 recovery codes left. Create new/)).toBeTruthy();
    await user.click(authenticator.getByRole('button', { name: 'Create new codes' }));
    expect(await screen.findByText(/Your current codes stop working/)).toBeTruthy();
    await user.type(screen.getByLabelText('Code'), '000000{Enter}');
    expect(await screen.findByText('Wrong code')).toBeTruthy();
    await user.clear(screen.getByLabelText('Code'));
    await user.type(screen.getByLabelText('Code'), `${FAKE_CODE}{Enter}`);
    await saveCodes(user);
    expect(await authenticator.findByText(/^10 recovery codes left/)).toBeTruthy();
    expect(fake.account.recoveryCodes).not.toContain('code 0');
  });

  it('turn the app off', async () => {
    const { user } = openWith(7);
    const authenticator = await card('Authenticator app');
    await user.click(authenticator.getByRole('button', { name: 'Turn off' }));
    const code = await screen.findByLabelText<HTMLInputElement>('Code');
    expect(code.inputMode).not.toBe('numeric');
    await user.type(code, 'code 6{Enter}');
    expect(await authenticator.findByText('Off')).toBeTruthy();
  });

  it('can be loaded again after a failure', async () => {
    const fake = createFakeClient({
      resources: [],
      auth: { kind: 'signed-in', user: aUser({ activeMfaType: 'totp' }) },
    });
    const { countRecoveryCodes } = fake.account.service;
    fake.account.service.countRecoveryCodes = async () => failure('Service unavailable');
    const { user } = open(fake);
    const authenticator = await card('Authenticator app');
    expect((await authenticator.findByRole('alert')).textContent).toContain('Service unavailable');
    fake.account.service.countRecoveryCodes = countRecoveryCodes;
    await user.click(authenticator.getByRole('button', { name: 'Try again' }));
    expect(await authenticator.findByText(/^No recovery codes/)).toBeTruthy();
  });
});

describe('personal access tokens', () => {
  it('are shown once, listed by name, and revoked after confirmation', async () => {
    const { fake, user } = open();
    const tokens = await card('Personal access tokens');
    await user.click(tokens.getByRole('button', { name: 'Create token' }));
    await user.click(await screen.findByRole('radio', { name: '7 days' }));
    await user.type(screen.getByLabelText('Name'), 'Backup{Enter}');
    const shown = await screen.findByRole('dialog', { name: 'Your new token' });
    expect(within(shown).getByText('token of Backup')).toBeTruthy();
    await confirmSaved(user, 'I have saved this token');
    expect(await tokens.findByText('Backup')).toBeTruthy();
    expect(screen.queryByText('token of Backup')).toBeNull();
    const [createdToken] = fake.account.tokens;
    const lifetimeDays = (Date.parse(createdToken?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(lifetimeDays)).toBe(7);
    await user.click(tokens.getByRole('button', { name: 'Revoke Backup' }));
    await user.click(await screen.findByRole('button', { name: 'Revoke' }));
    expect(await tokens.findByText('No tokens yet.')).toBeTruthy();
  });

  it.each<[string, (user: ReturnType<typeof openConsole>) => unknown]>([
    ['Esc', (user) => user.keyboard('{Escape}')],
    ['a press outside', pressOutside],
    ['Close', (user) => user.click(screen.getByRole('button', { name: 'Close' }))],
    ['Done', (user) => user.click(screen.getByRole('button', { name: 'Done' }))],
    ['Back', () => act(() => window.history.back())],
  ])('stay visible after %s until the user confirms having saved them', async (_way, leave) => {
    const user = openConsole('/dashboard/user/profile', createFakeClient({ resources: [] }));
    await user.click(await screen.findByRole('link', { name: 'Security' }));
    const tokens = await card('Personal access tokens');
    await user.click(tokens.getByRole('button', { name: 'Create token' }));
    await user.type(await screen.findByLabelText('Name'), 'Backup{Enter}');
    await screen.findByText('token of Backup');
    await leave(user);
    expect((await screen.findByRole('alert')).textContent).toContain('Save the token');
    expect(screen.getByText('token of Backup')).toBeTruthy();
    await confirmSaved(user, 'I have saved this token');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('need a name', async () => {
    const { fake, user } = open();
    const tokens = await card('Personal access tokens');
    await user.click(tokens.getByRole('button', { name: 'Create token' }));
    await user.type(await screen.findByLabelText('Name'), ' {Enter}');
    expect(await screen.findByText('Please enter a name')).toBeTruthy();
    expect(fake.account.tokens).toEqual([]);
  });
});

describe('sessions', () => {
  it('are ended one by one, except the current one', async () => {
    const fake = createFakeClient({ resources: [] });
    fake.account.sessions.push(
      session({ id: 'here', isCurrent: true }),
      session({ id: 'there', userAgent: CHROME, address: '198.51.100.7' }),
    );
    const { user } = open(fake);
    const sessions = await card('Sessions');
    expect(await sessions.findByText('198.51.100.7')).toBeTruthy();
    expect(sessions.getAllByRole('button')).toHaveLength(1);
    await user.click(sessions.getByRole('button', { name: 'Sign out Chrome on Linux' }));
    expect(await screen.findByText('Session signed out')).toBeTruthy();
    expect(fake.account.sessions.map(({ id }) => id)).toEqual(['here']);
  });

  it('are ended everywhere else with one click', async () => {
    const fake = createFakeClient({ resources: [] });
    fake.account.sessions.push(session({ id: 'here', isCurrent: true }));
    fake.account.sessions.push(session({ id: 'phone' }), session({ id: 'work' }));
    const { user } = open(fake);
    const sessions = await card('Sessions');
    await user.click(await sessions.findByRole('button', { name: 'Sign out everywhere else' }));
    expect(await screen.findByText('Signed out everywhere else')).toBeTruthy();
    expect(fake.account.sessions.map(({ id }) => id)).toEqual(['here']);
  });
});

describe('recent activity', () => {
  it('lists the first 10 events, and all of them after “Show all”', async () => {
    const fake = createFakeClient({ resources: [] });
    const kinds = ['sign-in-refused', ...Array.from({ length: 12 }, () => 'signed-in')];
    for (const [at, kind] of kinds.entries())
      fake.account.events.push({ id: String(at), kind, at: AT, details: {}, ...NO_CLIENT });
    const { user } = open(fake);
    const events = await card('Recent activity');
    expect(await events.findByText('Sign-in failed')).toBeTruthy();
    expect(events.getAllByRole('listitem')).toHaveLength(10);
    await user.click(events.getByRole('button', { name: 'Show all' }));
    expect(events.getAllByRole('listitem')).toHaveLength(13);
  });
});

async function turnOn(user: ReturnType<typeof openConsole>): Promise<void> {
  const authenticator = await card('Authenticator app');
  await user.click(authenticator.getByRole('button', { name: 'Set up' }));
  await user.type(await screen.findByLabelText('Code'), `${FAKE_CODE}{Enter}`);
}

async function saveCodes(user: ReturnType<typeof openConsole>): Promise<void> {
  await screen.findByRole('dialog', { name: 'Recovery codes' });
  await confirmSaved(user, 'I have saved these codes');
}

async function confirmSaved(
  user: ReturnType<typeof openConsole>,
  name: `I have saved ${string}`,
): Promise<void> {
  await user.click(screen.getByRole('checkbox', { name }));
  await user.click(screen.getByRole('button', { name: 'Done' }));
}

function session(fields: object) {
  const times = { createdAt: AT, lastUsedAt: AT };
  return { id: 's1', isCurrent: false, ...times, ...NO_CLIENT, ...fields };
}

function asksBeforeUnload(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
