import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject } from '../../../test/resources.ts';

async function openLog() {
  const app = anApp();
  const fake = createFakeClient({ resources: [aProject(), app] });
  const user = openConsole(`/dashboard/projects/${app.values.projectId}/apps/${app.id}`, fake);
  await screen.findByText('Waiting for the first line…');
  const print = (text: string, at?: string) =>
    act(() => fake.print({ name: 'app-1-1', source: 'app', text, ...(at ? { at } : {}) }));
  const printAll = (texts: string[]) =>
    act(() => {
      for (const text of texts) fake.print({ name: 'app-1-1', source: 'app', text });
    });
  return { user, print, printAll };
}

describe('the log', () => {
  it('pauses, counts the new lines and resumes', async () => {
    const { user, print } = await openLog();
    print('first');
    const pause = await screen.findByRole('button', { name: 'Pause' });
    await screen.findByRole('log');
    await user.click(pause);
    expect(screen.getByText('Paused')).toBeTruthy();
    print('second');
    expect(await screen.findByText('Paused, 1 new')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Resume' }));
    expect(screen.queryByText(/Paused/)).toBeNull();
  });

  it('counts matches in more lines than one batch', async () => {
    const { user, printAll } = await openLog();
    const otherLines = Array.from({ length: 25_000 }, () => 'other');
    printAll(['match at the start', ...otherLines, 'match at the end']);
    await user.type(await screen.findByLabelText('Search logs'), 'match');
    expect(await screen.findByText('1/2')).toBeTruthy();
    await user.keyboard('{Enter}');
    expect(await screen.findByText('2/2')).toBeTruthy();
  });

  it('offers timestamps only where the server sends them', async () => {
    const { user, print } = await openLog();
    print('without');
    await screen.findByRole('log');
    expect(screen.queryByRole('button', { name: 'Timestamps' })).toBeNull();
    print('with', '2025-01-01T09:05:02.117Z');
    const timestamps = await screen.findByRole('button', { name: 'Timestamps' });
    await user.click(timestamps);
    expect(timestamps.getAttribute('aria-pressed')).toBe('true');
    expect(within(screen.getByRole('log')).queryByText('Timestamps')).toBeNull();
  });
});
