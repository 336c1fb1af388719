import type { OperatorService } from '@longshore/client';
import type { CertificateWarning, OperatedUser, SignUpState } from '@longshore/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anIsolationStatus, aUser } from '../../../test/resources.ts';

const ok = <Data,>(data: Data) => Promise.resolve({ ok: true as const, data });
const usage = { used: 1, limit: 20 };

function anOperatedUser(change: Partial<OperatedUser> = {}): OperatedUser {
  return {
    id: 'u2',
    name: 'eve@example.com',
    createdAt: '2026-01-01T00:00:00Z',
    lastSignInAt: null,
    isVerified: true,
    hasSecondFactor: false,
    role: 'user',
    isDisabled: false,
    quotas: { apps: null, memoryBytes: null, cpus: null, builds: null, diskBytes: null },
    usage: { apps: usage, memoryBytes: usage, cpus: usage, builds: usage, diskBytes: usage },
    ...change,
  };
}

function fakeOperator(signUp: SignUpState = { mode: 'open', domains: [], isConfigured: false }) {
  const calls: unknown[][] = [];
  const user = anOperatedUser();
  const record = (...call: unknown[]) => {
    calls.push(call);
    return ok('OK');
  };
  const invitation = {
    id: 'i1',
    email: 'bob@example.com',
    state: 'open' as const,
    createdAt: '2026-01-01T00:00:00Z',
    expiresAt: '2026-01-08T00:00:00Z',
  };
  const created = { invitation, link: 'https://c.example/signup#t', mail: 'sent' as const };
  const operator: OperatorService = {
    signUp: () => ok(signUp),
    changeSignUp: async (rule) => {
      await record('changeSignUp', rule);
      return ok({ ...rule, isConfigured: false });
    },
    invitations: () => ok([invitation]),
    invite: async (email) => {
      await record('invite', email);
      return ok(created);
    },
    sendInvitation: () => ok(created),
    revokeInvitation: (id) => record('revokeInvitation', id),
    users: ({ search, page }) => {
      calls.push(['users', search, page]);
      const self = anOperatedUser({ id: aUser().id, name: 'ada@example.com', role: 'operator' });
      return ok({ users: [user, self], total: 45, pageSize: 20 });
    },
    changeQuotas: (change) => record('changeQuotas', change),
    disableUser: (id) => record('disableUser', id),
    enableUser: (id) => record('enableUser', id),
    certificates: () => ok<CertificateWarning[]>([]),
    health: () =>
      ok({
        version: '0.1.0',
        nodeVersion: 'v24',
        startedAt: '2026-01-01T00:00:00Z',
        engine: { kind: 'docker', version: '29.1' },
        database: { version: '18.4', bytes: 1024 ** 3, isEmbedded: true },
        edge: { build: '0123456789abcdef', workers: 2 },
        disk: { usedBytes: 1024 ** 3, totalBytes: 3 * 1024 ** 3 },
        missingIsolation: ['bwrap is missing.'],
        builds: { running: 1, waiting: 2 },
        reconciling: 0,
        users: 2,
      }),
    events: () => ok({ events: [], next: null }),
  };
  return { operator, calls };
}

function open(signUp?: SignUpState) {
  const { operator, calls } = fakeOperator(signUp);
  const isolation = { ...anIsolationStatus(), isOperator: true };
  const client = createFakeClient({ resources: [], isolation, operator });
  return { user: openConsole('/dashboard/operator', client), calls };
}

it('shows the system, and is in the navigation of operators', async () => {
  open();
  expect(await screen.findByText('Docker 29.1')).toBeTruthy();
  expect(screen.getByText('2 GB free of 3 GB')).toBeTruthy();
  expect(screen.getByText('Connected, 2 workers, build 0123456')).toBeTruthy();
  expect(screen.getByText('bwrap is missing.')).toBeTruthy();
  expect(await screen.findAllByRole('link', { name: 'Operator' })).not.toEqual([]);
});

it('is in the command palette of operators', async () => {
  const { user } = open();
  await screen.findByText('Docker 29.1');
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('option', { name: 'Operator' })).toBeTruthy();
});

it('is neither in the navigation nor shown to other users', async () => {
  const { operator } = fakeOperator();
  const isolation = { ...anIsolationStatus(), isOperator: false };
  openConsole('/dashboard/operator', createFakeClient({ resources: [], isolation, operator }));
  expect(
    await screen.findByText('Only operators of this installation see this page.'),
  ).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Operator' })).toBeNull();
});

it('changes who may sign up', async () => {
  const { user, calls } = open();
  await user.selectOptions(await screen.findByLabelText('Who may sign up'), 'domains');
  await user.type(screen.getByLabelText('Email domains'), 'example.com, example.org,');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Sign-up mode saved');
  const domains = ['example.com', 'example.org'];
  expect(calls).toContainEqual(['changeSignUp', { mode: 'domains', domains }]);
});

it('cannot change a configured mode', async () => {
  open({ mode: 'invite', domains: [], isConfigured: true });
  expect(await screen.findByText(/^Set by LONGSHORE_SIGN_UP/)).toBeTruthy();
  expect(screen.queryByLabelText('Who may sign up')).toBeNull();
});

it('shows the link of a new invitation', async () => {
  const { user, calls } = open();
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  await user.type(await screen.findByLabelText('Email'), 'bob@example.com{Enter}');
  expect(await screen.findByText('https://c.example/signup#t')).toBeTruthy();
  expect(calls).toContainEqual(['invite', 'bob@example.com']);
});

it('pages and searches users on the server', async () => {
  const { user, calls } = open();
  await user.click(await screen.findByRole('button', { name: 'Next' }));
  await screen.findByText('21–40 of 45');
  await user.type(screen.getByRole('searchbox', { name: 'Search users' }), 'eve');
  await screen.findByText('1–20 of 45');
  await expect.poll(() => calls).toContainEqual(['users', 'eve', 0]);
});

it('disables users after a confirmation, but not the own account', async () => {
  const { user, calls } = open();
  await user.click(await screen.findByRole('button', { name: 'Disable eve@example.com' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(within(dialog).getByText(/Running apps keep serving/)).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Disable' }));
  await expect.poll(() => calls).toContainEqual(['disableUser', 'u2']);
  expect(screen.queryByRole('button', { name: 'Disable ada@example.com' })).toBeNull();
});

it('saves valid quotas only', async () => {
  const { user, calls } = open();
  await user.click(await screen.findByRole('button', { name: 'Quotas of eve@example.com' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Apps'), 'x');
  await user.click(within(dialog).getByRole('button', { name: 'Save quotas' }));
  expect(within(dialog).getByText('Enter a number, or leave it empty.')).toBeTruthy();
  await user.clear(within(dialog).getByLabelText('Apps'));
  await user.type(within(dialog).getByLabelText('Apps'), '3');
  await user.click(within(dialog).getByRole('button', { name: 'Save quotas' }));
  const quotas = { apps: 3, memoryBytes: null, cpus: null, builds: null, diskBytes: null };
  await expect.poll(() => calls).toContainEqual(['changeQuotas', { userId: 'u2', quotas }]);
});

it('lists certificates that failed or expire soon', async () => {
  const { operator } = fakeOperator();
  const failure = { code: 'caa' as const, detail: 'caa record forbids issuance' };
  operator.certificates = () =>
    ok([
      {
        domain: 'shop.example.com',
        kind: 'custom',
        expiresAt: undefined,
        failure,
        nextTryAt: '2026-01-02T10:00:00Z',
      },
      {
        domain: '*.apps.example.com',
        kind: 'file',
        expiresAt: '2026-01-03T10:00:00Z',
        failure: undefined,
        nextTryAt: undefined,
      },
    ]);
  const isolation = { ...anIsolationStatus(), isOperator: true };
  openConsole('/dashboard/operator', createFakeClient({ resources: [], isolation, operator }));
  const card = within(
    await screen.findByRole('region', { name: 'Certificates that need attention' }),
  );
  expect(
    card.getByText(/CAA record forbids the certificate authority.*forbids issuance/),
  ).toBeTruthy();
  expect(card.getByText(/^No certificate\. Next try: Jan 2, 2026/)).toBeTruthy();
  expect(card.getByText(/^Expires on Jan 3, 2026/)).toBeTruthy();
});
