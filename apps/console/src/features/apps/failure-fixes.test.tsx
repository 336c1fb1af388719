import { type AppResource, type Fix, formatStatusMessage } from '@longshore/contract';
import { act, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject, aRelease } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const evidence = ['apps/web: Next.js', 'apps/api: Express', 'a line'];
const message = formatStatusMessage('It failed.', 'Fix it.', evidence);
const failed = anApp({ status: 'backoff', message, env: { TOKEN: 'x' } });

async function openFailure(fixes: Fix[], app: AppResource = failed) {
  const fake = createFakeClient({ resources: [shop, app] });
  const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}`, fake);
  await screen.findByRole('heading', { level: 1, name: /^shop/ });
  act(() => fake.showReleases([aRelease({ outcome: 'failed', fixes })]));
  return { fake, user, notice: within(screen.getByRole('alert')) };
}

const folder = (name: string, evidence: string): Fix => ({
  kind: 'root-directory',
  folder: name,
  evidence,
});

it('lists folders with what was found in them, and deploys the chosen one', async () => {
  const fixes = [folder('apps/web', 'Next.js'), folder('apps/api', 'Express')];
  const { fake, user, notice } = await openFailure(fixes);
  expect(notice.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'apps/webNext.jsDeploy',
    'apps/apiExpressDeploy',
  ]);
  // Shown once: the evidence repeats the folders.
  expect(notice.queryByText(/a line/)).toBeTruthy();
  expect(notice.queryByText(/apps\/api: Express/)).toBeNull();
  await user.click(notice.getByRole('button', { name: 'Deploy apps/api' }));
  expect(fake.sent.at(-1)?.values).toMatchObject({ build: { rootDirectory: 'apps/api' } });
});

it('changes the port to the one that the app listens on', async () => {
  const { fake, user, notice } = await openFailure([{ kind: 'port', port: 8080 }]);
  await user.click(notice.getByRole('button', { name: 'Change the port to 8080' }));
  expect(fake.sent.at(-1)?.values).toMatchObject({ ports: [{ number: 8080 }] });
});

it('gives the app a larger size', async () => {
  const size = { kind: 'size', from: 't1', tier: 't2', cpus: 1, memoryBytes: 1024 ** 3 } as const;
  const { fake, user, notice } = await openFailure([size]);
  await user.click(notice.getByRole('button', { name: 'Change the size to 1 CPU, 1 GiB' }));
  expect(fake.sent.at(-1)?.values).toMatchObject({ resourceTier: 't2' });
});

it('builds with fallback fonts', async () => {
  const { fake, user, notice } = await openFailure([{ kind: 'fallback-fonts' }]);
  await user.click(notice.getByRole('button', { name: 'Build with fallback fonts' }));
  const env = { TOKEN: 'x', LONGSHORE_GOOGLE_FONTS: 'fallback' };
  expect(fake.sent.at(-1)?.values).toMatchObject({ env });
});

it('shows why a change was refused', async () => {
  const { fake, user, notice } = await openFailure([{ kind: 'port', port: 8080 }]);
  fake.failRequests('The server is busy');
  await user.click(notice.getByRole('button', { name: 'Change the port to 8080' }));
  expect(await screen.findByText('The settings were not changed')).toBeTruthy();
});

it('names missing variables, and opens rows for them with the first value in focus', async () => {
  const { user, notice } = await openFailure([
    { kind: 'variable', name: 'DATABASE_URL', source: { kind: 'message' } },
    { kind: 'variable', name: 'SECRET', source: { kind: 'file', file: '.env.example' } },
    { kind: 'variable', name: 'TOKEN', source: { kind: 'message' } },
  ]);
  expect(notice.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'DATABASE_URL named in the log',
    'SECRET in .env.example',
  ]);
  await user.click(notice.getByRole('link', { name: 'Set variables' }));
  const key = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Key 2' });
  expect(key.value).toBe('DATABASE_URL');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Key 3' }).value).toBe('SECRET');
  expect(document.activeElement).toBe(screen.getByLabelText('Value 2'));
  const incomplete = 'Enter a value. Variables without one are not saved.';
  expect(screen.getByText(incomplete)).toBeTruthy();
  await user.keyboard('x');
  expect(screen.queryByText(incomplete)).toBeNull();
});
