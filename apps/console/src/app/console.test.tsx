import { clientError } from '@longshore/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFakeClient } from '../../test/fake-client.ts';
import { openConsole } from '../../test/open-console.tsx';
import { anApp, aProject, aUser } from '../../test/resources.ts';

describe('the console', () => {
  it('redirects a signed-out user from the dashboard to the login page', async () => {
    openConsole('/dashboard/projects', createFakeClient({ auth: { kind: 'signed-out' } }));
    expect(await screen.findByRole('button', { name: 'Sign In' })).toBeTruthy();
    expect(window.location.pathname).toBe('/login');
  });

  it('keeps a token in the address until authentication has imported it', async () => {
    const fake = createFakeClient({ auth: { kind: 'loading' }, resources: [] });
    openConsole('/?refreshToken=t&type=verifyEmail#section', fake);
    const { pathname, search, hash } = window.location;
    expect(pathname + search + hash).toBe('/dashboard?refreshToken=t&type=verifyEmail#section');
    act(() => fake.endSession({ error: 'invalid-refresh-token', message: 'Expired' }));
    await screen.findByRole('button', { name: 'Sign In' });
    expect(window.location.pathname + window.location.search).toBe('/login');
  });

  it('keeps a token in the address when the server could not be reached', async () => {
    const fake = createFakeClient({ auth: { kind: 'loading' } });
    openConsole('/?refreshToken=t', fake);
    act(() => fake.endSession(clientError('network')));
    await screen.findByRole('button', { name: 'Sign In' });
    expect(window.location.pathname + window.location.search).toBe('/login?refreshToken=t');
  });

  it('redirects a signed-in user from the login page to the dashboard', async () => {
    openConsole('/login', createFakeClient({ resources: [] }));
    expect(await screen.findByRole('heading', { name: 'Projects' })).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard');
  });

  it('shows nothing on the login page while authentication loads', () => {
    openConsole('/login', createFakeClient({ auth: { kind: 'loading' } }));
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('shows a spinner on the dashboard while authentication loads', () => {
    openConsole('/dashboard', createFakeClient({ auth: { kind: 'loading' } }));
    expect(screen.getByRole('status').textContent).toBe('Loading');
  });

  it('has the specified top bar, navigation and footer', async () => {
    openConsole(
      '/dashboard/projects/p1',
      createFakeClient({ resources: [aProject({ id: 'p1' })] }),
    );
    const navigation = await screen.findByRole('navigation', { name: 'Main' });
    const entries = within(navigation).getAllByRole('link');
    expect(entries.map((entry) => [entry.textContent, entry.getAttribute('href')])).toEqual([
      ['Projects', '/dashboard/projects'],
      ['Integrations', '/dashboard/integrations'],
    ]);
    const [projects, integrations] = entries;
    expect(projects?.getAttribute('aria-current')).toBe('page');
    expect(integrations?.getAttribute('aria-current')).toBeNull();
    expect(screen.getByRole('link', { name: 'Longshore' }).getAttribute('href')).toBe('/dashboard');
    const docs = screen.getByRole('link', { name: 'Documentation' });
    expect([docs.getAttribute('href'), docs.getAttribute('target')]).toEqual(['/docs', '_blank']);
    expect(screen.getByText('© 2025 Longshore. All rights reserved.')).toBeTruthy();
  });

  it('has a profile button that opens the profile from every page', async () => {
    const user = openConsole('/dashboard/integrations', createFakeClient({ resources: [] }));
    await user.click(await screen.findByRole('link', { name: 'Profile' }));
    expect(await screen.findByRole('heading', { name: 'Profile' })).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard/user/profile');
  });

  it('has a menu with the navigation and a static status card, which closes when an entry is selected', async () => {
    const user = openConsole('/dashboard', createFakeClient({ resources: [] }));
    const opener = await screen.findByRole('button', { name: 'Menu' });
    expect(opener.getAttribute('aria-expanded')).toBe('false');
    await user.click(opener);
    const menu = within(await screen.findByRole('dialog', { name: 'Longshore' }));
    expect(menu.getByText('Cloud Status')).toBeTruthy();
    expect(menu.getByText('All services operational')).toBeTruthy();
    await user.click(menu.getByRole('link', { name: 'Integrations' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByRole('heading', { name: 'External Integrations' })).toBeTruthy();
  });

  it('has a status card that also shows a lost connection', async () => {
    const fake = createFakeClient({ resources: [] });
    const user = openConsole('/dashboard', fake);
    await user.click(await screen.findByRole('button', { name: 'Menu' }));
    const menu = within(await screen.findByRole('dialog', { name: 'Longshore' }));
    act(() => fake.connection.set('reconnecting'));
    expect(menu.getByText('Connection lost. Reconnecting…')).toBeTruthy();
    expect(menu.getByText('All services operational')).toBeTruthy();
    act(() => fake.connection.set('open'));
    expect(menu.queryByText('Connection lost. Reconnecting…')).toBeNull();
  });

  it('closes its menu on navigation', async () => {
    const user = openConsole('/dashboard/integrations', createFakeClient({ resources: [] }));
    await user.click(await screen.findByRole('link', { name: 'Projects' }));
    await user.click(await screen.findByRole('button', { name: 'Menu' }));
    await screen.findByRole('dialog', { name: 'Longshore' });
    act(() => window.history.back());
    await screen.findByRole('heading', { name: 'External Integrations', hidden: true });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  describe('a deep link', () => {
    const LINK = '/dashboard/projects/p1?view=list#apps';
    const shop = aProject({ id: 'p1', name: 'Shop' });
    const current = () => window.location.href.replace(window.location.origin, '');

    async function signIn(user: ReturnType<typeof openConsole>) {
      await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
      await user.type(screen.getByLabelText('Password'), 'a harbour at night');
      await user.click(screen.getByRole('button', { name: 'Sign In' }));
    }

    it('survives sign-in with path, query and hash, and is followed once', async () => {
      const fake = createFakeClient({ auth: { kind: 'signed-out' }, resources: [shop] });
      const user = openConsole(LINK, fake);
      await signIn(user);
      await screen.findByRole('heading', { name: 'Shop' });
      expect(current()).toBe(LINK);
      await user.click(screen.getByRole('button', { name: 'Sign out' }));
      await signIn(user);
      await screen.findByRole('heading', { name: 'Projects' });
      expect(current()).toBe('/dashboard');
    });

    it('survives the code step', async () => {
      const fake = createFakeClient({ auth: { kind: 'signed-out' }, resources: [shop] });
      fake.setSignInResult({ kind: 'needs-mfa' });
      const user = openConsole(LINK, fake);
      await signIn(user);
      await user.type(await screen.findByLabelText('Code'), '123456');
      fake.setSignInResult({ kind: 'signed-in' });
      await user.click(screen.getByRole('button', { name: 'Sign In' }));
      await screen.findByRole('heading', { name: 'Shop' });
      expect(current()).toBe(LINK);
    });

    it('survives the code step that a link or a provider leads to', async () => {
      const fake = createFakeClient({ auth: { kind: 'loading' }, resources: [shop] });
      const parameters = 'error=mfa-required&errorDescription=Enter+a+code&ticket=mfaTotp%3A1';
      const user = openConsole(`/dashboard/projects/p1?view=list&${parameters}#apps`, fake);
      act(() => fake.requireCode());
      await user.type(await screen.findByLabelText('Code'), '123456');
      expect(current()).toBe('/login');
      expect(screen.queryByText('Enter a code')).toBeNull();
      await user.click(screen.getByRole('button', { name: 'Sign In' }));
      await screen.findByRole('heading', { name: 'Shop' });
      expect(current()).toBe(LINK);
    });

    it('survives sign-in with a passkey', async () => {
      vi.stubGlobal('PublicKeyCredential', class {});
      onTestFinished(() => void vi.unstubAllGlobals());
      const fake = createFakeClient({ auth: { kind: 'signed-out' }, resources: [shop] });
      const user = openConsole(LINK, fake);
      await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
      await screen.findByRole('heading', { name: 'Shop' });
      expect(current()).toBe(LINK);
    });

    it('survives sign-up', async () => {
      const fake = createFakeClient({ auth: { kind: 'signed-out' }, resources: [shop] });
      const user = openConsole(LINK, fake);
      await user.click(await screen.findByRole('link', { name: 'Create an account' }));
      // The login page, which also has the other fields, stays until this one is loaded.
      await user.type(await screen.findByLabelText('Confirm Password'), 'a harbour at night');
      await user.type(screen.getByLabelText('Email'), 'ada@example.com');
      await user.type(screen.getByLabelText('Password'), 'a harbour at night');
      await user.click(screen.getByRole('button', { name: 'Sign Up' }));
      await screen.findByRole('heading', { name: 'Shop' });
      expect(current()).toBe(LINK);
      // The verification email links to it, for servers that send one.
      expect(fake.credentials[0]?.options).toEqual({ redirectTo: LINK });
    });

    it('survives an expired session, for the same user only', async () => {
      const fake = createFakeClient({ resources: [shop] });
      const user = openConsole(LINK, fake);
      await screen.findByRole('heading', { name: 'Shop' });
      act(() => fake.endSession({ message: 'Invalid or expired refresh token' }));
      await screen.findByRole('button', { name: 'Sign In' });
      expect(current()).toBe('/login');
      await signIn(user);
      await screen.findByRole('heading', { name: 'Shop' });
      act(() => fake.endSession({ message: 'Invalid or expired refresh token' }));
      await screen.findByRole('button', { name: 'Sign In' });
      act(() => fake.signInAs(aUser({ id: 'someone-else' })));
      await screen.findByRole('heading', { name: 'Projects' });
      expect(current()).toBe('/dashboard');
    });

    it('is forgotten when the user signs out in another tab', async () => {
      const fake = createFakeClient({ resources: [shop] });
      const user = openConsole(LINK, fake);
      await screen.findByRole('heading', { name: 'Shop' });
      act(() => fake.endSession());
      await signIn(user);
      await screen.findByRole('heading', { name: 'Projects' });
      expect(current()).toBe('/dashboard');
    });
  });

  it('signs out to the login page and clears the deploy draft', async () => {
    const user = openConsole('/dashboard', createFakeClient({ resources: [] }));
    const signOut = await screen.findByRole('button', { name: 'Sign out' });
    localStorage.setItem('deployDraft', '{}');
    await user.click(signOut);
    expect(await screen.findByRole('button', { name: 'Sign In' })).toBeTruthy();
    expect(localStorage.getItem('deployDraft')).toBeNull();
  });

  it.each([
    ['a sign-out in another tab', undefined, false],
    ['an expired session', { message: 'Invalid or expired refresh token' }, true],
  ])('keeps the deploy draft after %s: %#', async (_, reason, isKept) => {
    const fake = createFakeClient({ resources: [] });
    openConsole('/dashboard', fake);
    await screen.findByRole('button', { name: 'Sign out' });
    localStorage.setItem('deployDraft', '{}');
    act(() => fake.endSession(reason));
    await screen.findByRole('button', { name: 'Sign In' });
    expect(localStorage.getItem('deployDraft') !== null).toBe(isKept);
  });

  it('removes the deploy draft of another user', async () => {
    localStorage.setItem('deployDraft', JSON.stringify({ userId: 'u2', savedAt: Date.now() }));
    openConsole('/dashboard', createFakeClient({ resources: [] }));
    await screen.findByRole('button', { name: 'Sign out' });
    expect(localStorage.getItem('deployDraft')).toBeNull();
  });

  it('does not navigate when the sign-out request finishes later', async () => {
    const fake = createFakeClient({ resources: [] });
    const { promise: response, resolve: respond } = Promise.withResolvers<void>();
    const { signOut } = fake.client.auth;
    fake.client.auth.signOut = async () => {
      const result = await signOut();
      await response;
      return result;
    };
    const user = openConsole('/dashboard', fake);
    await user.click(await screen.findByRole('button', { name: 'Sign out' }));
    await user.click(await screen.findByRole('link', { name: 'Forgot password?' }));
    await screen.findByRole('button', { name: 'Send Reset Link' });
    await act(async () => respond());
    expect(screen.getByRole('button', { name: 'Send Reset Link' })).toBeTruthy();
  });

  it('keeps the shell around an unknown dashboard page', async () => {
    openConsole('/dashboard/nowhere', createFakeClient({ resources: [] }));
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
  });

  it('has a main landmark on an unknown page outside the dashboard', async () => {
    openConsole('/nowhere', createFakeClient({ auth: { kind: 'signed-out' } }));
    const heading = await screen.findByRole('heading', { name: 'Page not found' });
    expect(screen.getByRole('main').contains(heading)).toBe(true);
  });

  it('scrolls a new page to the top and focuses its content', async () => {
    const user = openConsole('/dashboard', createFakeClient({ resources: [aProject()] }));
    const scrollTo = vi.spyOn(window, 'scrollTo').mockReturnValue();
    await user.click(await screen.findByRole('link', { name: 'Shop' }));
    await screen.findByText('Deploy your first app');
    expect(scrollTo).toHaveBeenCalledWith(0, 0);
    expect(document.activeElement).toBe(screen.getByRole('main'));
    scrollTo.mockRestore();
  });

  it('keeps the focus on the selected navigation entry', async () => {
    const user = openConsole('/dashboard', createFakeClient({ resources: [] }));
    const entry = await screen.findByRole('link', { name: 'Integrations' });
    await user.click(entry);
    await screen.findByRole('heading', { name: 'External Integrations' });
    expect(document.activeElement).toBe(entry);
  });

  it('keeps the shell around a page that crashes, and shows the next page', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const brokenApp = anApp({ ports: undefined as never });
    const fake = createFakeClient({ resources: [aProject(), brokenApp] });
    const { id, values } = brokenApp;
    const user = openConsole(`/dashboard/projects/${values.projectId}/apps/${id}`, fake);
    expect(await screen.findByRole('heading', { name: 'This page failed to load' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Projects' }));
    expect(await screen.findByRole('link', { name: 'Shop' })).toBeTruthy();
    vi.restoreAllMocks();
  });

  it('shows an error page when the services cannot be loaded', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const fake = createFakeClient({ resources: [] });
    fake.client.services = () => Promise.reject(new Error('Broken'));
    openConsole('/dashboard', fake);
    expect(await screen.findByRole('heading', { name: 'This page failed to load' })).toBeTruthy();
    vi.restoreAllMocks();
  });

  it('shows a pill while the live query reconnects', async () => {
    const fake = createFakeClient({ resources: [] });
    openConsole('/dashboard', fake);
    await screen.findByRole('heading', { name: 'Projects' });
    act(() => fake.connection.set('reconnecting'));
    expect(screen.getByText('Reconnecting…')).toBeTruthy();
    act(() => fake.connection.set('open'));
    expect(screen.queryByText('Reconnecting…')).toBeNull();
  });

  it('follows the system theme while none is chosen, and choices made in other tabs', async () => {
    const system = fakeSystemTheme();
    openConsole('/dashboard', createFakeClient({ resources: [] }));
    await screen.findByRole('heading', { name: 'Projects' });
    act(() => system.setDark(true));
    expect(await screen.findByRole('button', { name: 'Light theme' })).toBeTruthy();
    expect(document.documentElement.dataset.theme).toBe('dark');
    localStorage.setItem('theme', 'light');
    localStorage.setItem('accentColor', 'teal');
    act(() => window.dispatchEvent(new StorageEvent('storage')));
    expect(await screen.findByRole('button', { name: 'Dark theme' })).toBeTruthy();
    expect(document.documentElement.dataset).toMatchObject({ theme: 'light', accent: 'teal' });
    act(() => system.setDark(true));
    expect(document.documentElement.dataset.theme).toBe('light');
    vi.unstubAllGlobals();
  });

  it('stores accent and theme', async () => {
    const user = openConsole('/dashboard', createFakeClient({ resources: [] }));
    await user.click(await screen.findByRole('button', { name: 'Accent colour' }));
    await user.click(await screen.findByRole('button', { name: 'teal' }));
    expect(localStorage.getItem('accentColor')).toBe('teal');
    expect(document.documentElement.dataset.accent).toBe('teal');
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Dark theme' }));
    expect(localStorage.getItem('theme')).toBe('dark');
    expect(document.documentElement.dataset.theme).toBe('dark');
  });
});

/** A system theme that starts light. */
function fakeSystemTheme() {
  const query = Object.assign(new EventTarget(), { matches: false });
  vi.stubGlobal('matchMedia', () => query);
  return {
    setDark(isDark: boolean) {
      query.matches = isDark;
      query.dispatchEvent(new Event('change'));
    },
  };
}
