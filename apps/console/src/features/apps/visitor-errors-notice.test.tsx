import { act, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject, aRelease } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const serving = { release: 1, logName: 'shop', hosts: [] };
const detected = {
  summary: 'Express',
  variables: [{ name: 'DATABASE_URL', file: '.env.example' }],
};

async function openAnswering(errors: number, edge = {}) {
  const app = anApp({ edge });
  const fake = createFakeClient({ resources: [shop, app] });
  const at = Math.floor(Date.now() / 60_000) * 60_000;
  fake.setMetrics({ usage: [], traffic: [{ at, statuses: [0, 1, 0, 0, errors], latencies: [] }] });
  const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}`, fake);
  await screen.findByText('Ready');
  act(() => {
    fake.observe({ serving });
    fake.showReleases([aRelease({ detected })]);
  });
  // Is shown with the same numbers.
  await screen.findByText(`${errors} of ${errors + 1}`);
  return user;
}

it('says that visitors get errors, and which variables may be missing', async () => {
  const user = await openAnswering(4);
  const notice = within(screen.getByRole('alert'));
  expect(notice.getByText('Visitors of this app get errors.')).toBeTruthy();
  expect(notice.getByText(/^4 of the last 5 requests got a server error/)).toBeTruthy();
  expect(notice.getByText('A variable is not set:')).toBeTruthy();
  await user.click(notice.getByRole('button', { name: 'Open logs' }));
  const logs = screen.getByRole('region', { name: 'Logs' });
  expect(document.activeElement?.contains(logs)).toBe(true);
  await user.click(notice.getByRole('link', { name: 'Set DATABASE_URL' }));
  const key = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Key 2' });
  expect(key.value).toBe('DATABASE_URL');
});

it.each([
  ['of a single error', 1, {}],
  ['during maintenance', 4, { maintenance: true }],
])('says nothing %s', async (_, errors, edge) => {
  await openAnswering(errors, edge);
  expect(screen.queryByRole('alert')).toBeNull();
});
