import { act, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';

const signedOut = { auth: { kind: 'signed-out' } } as const;

it.each(['/login', '/signup', '/verify-email', '/forgot-password'])(
  'the page %s shows the name and the tagline',
  async (path) => {
    openConsole(path, createFakeClient(signedOut));
    expect(await screen.findByText('Simplified Container Deployment!')).toBeTruthy();
    expect(screen.getByText('Longshore')).toBeTruthy();
  },
);

describe('the login page', () => {
  it('signs in and opens the dashboard', async () => {
    const fake = createFakeClient({ auth: { kind: 'signed-out' }, resources: [] });
    const user = openConsole('/login', fake);
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    expect(await screen.findByText('Welcome back!')).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Projects' })).toBeTruthy();
    expect(fake.credentials).toEqual([{ email: 'ada@example.com', password: 'secret' }]);
  });

  it('is replaced in the history, so that Back leaves the console', async () => {
    const fake = createFakeClient({ ...signedOut, resources: [] });
    const user = openConsole('/login', fake);
    const pageCount = window.history.length;
    await user.click(await screen.findByRole('button', { name: 'Sign In' }));
    await screen.findByRole('heading', { name: 'Projects' });
    await screen.findByText('Welcome back!');
    expect(window.history.length).toBe(pageCount);
  });

  it('shows the server’s message when sign-in fails, and keeps the fields', async () => {
    const fake = createFakeClient({ ...signedOut, resources: [] });
    fake.failSignIn('Incorrect email or password');
    const user = openConsole('/login', fake);
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    expect(await screen.findByText('Authentication Error')).toBeTruthy();
    expect(screen.getByText('Incorrect email or password')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com');
  });

  it('opens the verification page when the email is not verified', async () => {
    const fake = createFakeClient({ ...signedOut, resources: [] });
    fake.setSignInResult({ kind: 'needs-email-verification' });
    const user = openConsole('/login', fake);
    await user.click(await screen.findByRole('button', { name: 'Sign In' }));
    expect(await screen.findByRole('heading', { name: 'Verify Your Email' })).toBeTruthy();
    expect(await screen.findByText('Please verify your email')).toBeTruthy();
    expect(screen.getByText('Verify your email')).toBeTruthy();
  });

  it('links to the page for a forgotten password', async () => {
    const user = openConsole('/login', createFakeClient(signedOut));
    await user.click(await screen.findByRole('link', { name: 'Forgot password?' }));
    expect(await screen.findByRole('heading', { name: 'Reset Your Password' })).toBeTruthy();
    expect(window.location.pathname).toBe('/forgot-password');
  });

  describe('of an account with an authenticator app', () => {
    async function openCodeStep() {
      const fake = createFakeClient({ ...signedOut, resources: [] });
      fake.setSignInResult({ kind: 'needs-mfa' });
      const user = openConsole('/login', fake);
      await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
      await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
      return { fake, user, code: await screen.findByLabelText<HTMLInputElement>('Code') };
    }

    it('asks for a code', async () => {
      const { fake, user, code } = await openCodeStep();
      expect(code.inputMode).toBe('numeric');
      fake.setSignInResult({ kind: 'signed-in' });
      await user.type(code, '123456{Enter}');
      expect(await screen.findByText('Welcome back!')).toBeTruthy();
      expect(fake.credentials.at(-1)?.password).toBe('123456');
    });

    it('accepts a recovery code, with a keyboard that has letters', async () => {
      const { fake, user } = await openCodeStep();
      const lostDevice = 'Lost your device? Enter a recovery code.';
      await user.click(screen.getByRole('button', { name: lostDevice }));
      const code = screen.getByLabelText<HTMLInputElement>('Recovery code');
      expect(document.activeElement).toBe(code);
      expect(code.inputMode).not.toBe('numeric');
      fake.setSignInResult({ kind: 'signed-in' });
      await user.type(code, ' 2345-6789-abcd {Enter}');
      expect(await screen.findByText('Welcome back!')).toBeTruthy();
      expect(fake.credentials.at(-1)?.password).toBe('2345-6789-abcd');
    });

    it('returns to the password, which is still entered, after a wrong code', async () => {
      const { fake, user, code } = await openCodeStep();
      fake.failSignIn('Invalid TOTP code');
      await user.type(code, '000000{Enter}');
      expect(await screen.findByText('Invalid TOTP code')).toBeTruthy();
      expect(screen.queryByLabelText('Code')).toBeNull();
      expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com');
      expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('secret');
    });

    it('asks to open a link again after a wrong code', async () => {
      const fake = createFakeClient({ auth: { kind: 'loading' }, resources: [] });
      const user = openConsole('/login?error=mfa-required&ticket=mfaTotp%3A1', fake);
      act(() => fake.requireCode());
      const error = { status: 401, error: 'invalid-totp', message: 'Invalid TOTP code' };
      fake.setSignInResult({ kind: 'failed', error });
      await user.type(await screen.findByLabelText('Code'), '000000{Enter}');
      expect(await screen.findByText('Invalid code. Open the link again to retry.')).toBeTruthy();
      expect(screen.getByLabelText('Email')).toBeTruthy();
    });

    it('does not ask for the code again after it was left', async () => {
      const fake = createFakeClient({ auth: { kind: 'loading' }, resources: [] });
      const user = openConsole('/login?error=mfa-required&ticket=mfaTotp%3A1', fake);
      act(() => fake.requireCode());
      await user.click(await screen.findByRole('button', { name: 'Back to Login' }));
      await user.click(await screen.findByRole('link', { name: 'Forgot password?' }));
      await user.click(await screen.findByRole('button', { name: 'Back to Login' }));
      expect(await screen.findByLabelText('Email')).toBeTruthy();
      expect(await screen.findByLabelText('Password')).toBeTruthy();
    });

    it('keeps the code if the server could not be reached', async () => {
      const { fake, user, code } = await openCodeStep();
      const error = { status: 0, error: 'network', message: 'Network Error' };
      fake.setSignInResult({ kind: 'failed', error });
      await user.type(code, '123456{Enter}');
      expect(await screen.findByText('Network Error')).toBeTruthy();
      expect(screen.getByLabelText<HTMLInputElement>('Code').value).toBe('123456');
    });
  });

  it('offers a passkey if the browser supports them', async () => {
    vi.stubGlobal('PublicKeyCredential', class {});
    const user = openConsole('/login', createFakeClient({ ...signedOut, resources: [] }));
    await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByRole('heading', { name: 'Projects' })).toBeTruthy();
    vi.unstubAllGlobals();
  });

  it('shows that an email link has expired', async () => {
    const fake = createFakeClient({ auth: { kind: 'loading' } });
    openConsole('/dashboard?error=invalid-ticket', fake);
    act(() => fake.endSession({ error: 'invalid-ticket', message: 'Invalid ticket' }));
    expect(await screen.findByText('Authentication Error')).toBeTruthy();
    expect(screen.getByText(/^This link has expired or was already used/)).toBeTruthy();
    expect(window.location.href).toMatch(/\/login$/);
  });
});

describe('the signup page', () => {
  it('links to the login page', async () => {
    const user = openConsole('/signup', createFakeClient(signedOut));
    await user.click(await screen.findByRole('link', { name: 'Sign in' }));
    expect(await screen.findByRole('button', { name: 'Sign In' })).toBeTruthy();
    expect(window.location.pathname).toBe('/login');
  });

  it('opens the dashboard when the account is created', async () => {
    const user = openConsole('/signup', createFakeClient({ ...signedOut, resources: [] }));
    await user.click(await screen.findByRole('button', { name: 'Sign Up' }));
    expect(await screen.findByRole('heading', { name: 'Projects' })).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard');
  });

  it('opens the verification page when the email has to be verified', async () => {
    const fake = createFakeClient({ ...signedOut, resources: [] });
    fake.setSignInResult({ kind: 'needs-email-verification' });
    const user = openConsole('/signup', fake);
    await user.click(await screen.findByRole('button', { name: 'Sign Up' }));
    expect(await screen.findByRole('heading', { name: 'Verify Your Email' })).toBeTruthy();
    expect(await screen.findByText('Please verify your email')).toBeTruthy();
  });

  it('shows that the account was created', async () => {
    const user = openConsole('/signup', createFakeClient({ ...signedOut, resources: [] }));
    await user.click(await screen.findByRole('button', { name: 'Sign Up' }));
    expect(await screen.findByText('Your account has been created')).toBeTruthy();
    expect(screen.getByText('Success')).toBeTruthy();
  });

  it('shows the server’s message when sign-up fails', async () => {
    const fake = createFakeClient({ ...signedOut, resources: [] });
    fake.failSignIn('User already exists');
    const user = openConsole('/signup', fake);
    await user.click(await screen.findByRole('button', { name: 'Sign Up' }));
    expect(await screen.findByText('Registration Error')).toBeTruthy();
    expect(screen.getByText('User already exists')).toBeTruthy();
  });

  it('rejects different passwords without a request', async () => {
    const fake = createFakeClient({ ...signedOut, resources: [] });
    const user = openConsole('/signup', fake);
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret');
    await user.type(screen.getByLabelText('Confirm Password'), 'other');
    await user.click(screen.getByRole('button', { name: 'Sign Up' }));
    expect(await screen.findByText('Password Error')).toBeTruthy();
    expect(screen.getByText('Passwords do not match')).toBeTruthy();
    expect(fake.credentials).toEqual([]);
  });

  it('is linked from the login page', async () => {
    const user = openConsole('/login', createFakeClient({ ...signedOut, resources: [] }));
    await user.click(await screen.findByRole('link', { name: 'Create an account' }));
    expect(await screen.findByRole('heading', { name: 'Create your account' })).toBeTruthy();
    expect(window.location.pathname).toBe('/signup');
  });
});

describe('the set-up code of the first account', () => {
  const first = { ...signedOut, resources: [], needsSetupCode: true };

  it('is a field of the signup page, which the login page links to', async () => {
    const fake = createFakeClient(first);
    const user = openConsole('/login', fake);
    expect(await screen.findByText(/This installation has no account yet/)).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Create the first one' }));
    const code = await screen.findByLabelText('Set-up code');
    await user.type(screen.getByLabelText('Email'), 'ada@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret');
    await user.type(screen.getByLabelText('Confirm Password'), 'secret');
    expect(screen.getByText('Shown in the terminal where Longshore was started.').id).toBe(
      code.getAttribute('aria-describedby'),
    );
    await user.type(code, ' abcd-efgh-jklm {Enter}');
    expect(await screen.findByText('Your account has been created')).toBeTruthy();
    const sent = { email: 'ada@example.com', password: 'secret', setupCode: 'abcd-efgh-jklm' };
    expect(fake.credentials).toEqual([sent]);
  });

  it('keeps its value when the server rejects it, and the error is shown', async () => {
    const fake = createFakeClient(first);
    fake.failSignIn('This is not the set-up code');
    const user = openConsole('/signup', fake);
    await user.type(await screen.findByLabelText('Set-up code'), 'abcd{Enter}');
    expect(await screen.findByText('Registration Error')).toBeTruthy();
    expect(screen.getByText('This is not the set-up code')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Set-up code').value).toBe('abcd');
  });

  it('is not requested if the installation has an account', async () => {
    const fake = createFakeClient({ ...signedOut, resources: [] });
    const user = openConsole('/login', fake);
    await user.click(await screen.findByRole('link', { name: 'Create an account' }));
    await user.click(await screen.findByRole('button', { name: 'Sign Up' }));
    await screen.findByRole('heading', { name: 'Projects' });
    expect(screen.queryByLabelText('Set-up code')).toBeNull();
    expect(fake.credentials).toEqual([{ email: '', password: '' }]);
  });
});

describe('the email pages', () => {
  it('show that a verification link was sent, and to check inbox and spam', async () => {
    openConsole('/verify-email', createFakeClient(signedOut));
    expect(await screen.findByRole('heading', { name: 'Verify Your Email' })).toBeTruthy();
    const text = screen.getByText(/We have sent a verification link/).textContent;
    expect(text).toMatch(/check your inbox/);
    expect(text).toMatch(/spam/);
  });

  it.each(['/verify-email', '/forgot-password'])('link from %s back to login', async (path) => {
    const user = openConsole(path, createFakeClient(signedOut));
    await user.click(await screen.findByRole('button', { name: 'Back to Login' }));
    expect(await screen.findByRole('button', { name: 'Sign In' })).toBeTruthy();
    expect(window.location.pathname).toBe('/login');
  });

  it('have an email input for the reset link, with a hint about spam', async () => {
    openConsole('/forgot-password', createFakeClient(signedOut));
    expect((await screen.findByLabelText<HTMLInputElement>('Email')).type).toBe('email');
    expect(screen.getByText(/Check your spam folder/)).toBeTruthy();
  });

  it('show the email input on the first click and an error for an empty one on the second', async () => {
    const user = openConsole('/verify-email', createFakeClient({ ...signedOut, resources: [] }));
    const resend = await screen.findByRole('button', { name: 'Resend Verification Email' });
    expect(screen.queryByLabelText('Email')).toBeNull();
    await user.click(resend);
    expect(screen.getByLabelText('Email')).toBeTruthy();
    expect(resend.textContent).toBe('Resend Verification Email');
    await user.click(resend);
    expect(await screen.findByText('Please enter your email address')).toBeTruthy();
  });

  it('need an email address for a reset link', async () => {
    const user = openConsole('/forgot-password', createFakeClient({ ...signedOut, resources: [] }));
    await user.click(await screen.findByRole('button', { name: 'Send Reset Link' }));
    expect(await screen.findByText('Please enter your email address')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Back to Login' })).toBeTruthy();
  });

  it.each([
    [
      '/verify-email',
      'Resend Verification Email',
      'Verification Email Resent',
      'A new verification link has been sent to ada@example.com',
    ],
    [
      '/forgot-password',
      'Send Reset Link',
      'Password Reset Email Sent',
      "We've sent a password reset link to ada@example.com. Please check your inbox.",
    ],
  ])('send an email from %s, and confirm it', async (path, action, title, text) => {
    const backend = createFakeClient({ ...signedOut, resources: [] });
    const user = openConsole(path, backend);
    const button = await screen.findByRole('button', { name: action });
    if (screen.queryByLabelText('Email') === null) await user.click(button);
    await user.type(screen.getByLabelText('Email'), 'ada@example.com');
    await user.click(button);
    expect(await screen.findByText(title)).toBeTruthy();
    expect(screen.getByText(text)).toBeTruthy();
    expect(backend.mails).toEqual(['ada@example.com']);
  });

  it.each([
    ['Too many requests', 'Too many requests'],
    ['', 'Failed to send password reset email'],
  ])('for a reset link that fails with %j show "%s"', async (message, shown) => {
    const backend = createFakeClient({ ...signedOut, resources: [] });
    backend.failRequests(message);
    const user = openConsole('/forgot-password', backend);
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
    await user.click(screen.getByRole('button', { name: 'Send Reset Link' }));
    expect(await screen.findByText(shown)).toBeTruthy();
    expect(screen.getByText('Error')).toBeTruthy();
  });

  it.each([
    ['Too many requests', 'Too many requests'],
    ['', 'Failed to send verification email'],
  ])('for a verification email that fails with %j show "%s"', async (message, shown) => {
    const backend = createFakeClient({ ...signedOut, resources: [] });
    backend.failRequests(message);
    const user = openConsole('/verify-email', backend);
    const resend = await screen.findByRole('button', { name: 'Resend Verification Email' });
    await user.click(resend);
    await user.type(screen.getByLabelText('Email'), 'ada@example.com');
    await user.click(resend);
    expect(await screen.findByText(shown)).toBeTruthy();
    expect(screen.getByText('Error')).toBeTruthy();
  });
});
