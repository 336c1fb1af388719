import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject } from '../../../test/resources.ts';

async function openLog() {
  const app = anApp();
  const fake = createFakeClient({ resources: [aProject(), app] });
  const user = openConsole(`/dashboard/projects/${app.values.projectId}/apps/${app.id}/logs`, fake);
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

const NOW = Date.parse('2026-01-31T12:00:00Z');
const BUILD = { name: 'app-1-build-1', source: 'build' } as const;
const RUN = { name: 'app-1-1', source: 'app' } as const;

/** An app of which the server keeps many lines. The page gets the last 100, one per second until now. */
async function openStoredLog(
  texts: string[],
  kindOf = (_: number): typeof BUILD | typeof RUN => RUN,
) {
  const app = anApp();
  const fake = createFakeClient({ resources: [aProject(), app] });
  const stored = texts.map((text, index) => ({
    ...kindOf(index),
    text,
    sequence: index + 1,
    at: new Date(NOW - (texts.length - index) * 1_000).toISOString(),
  }));
  fake.logs.stored.push(...stored);
  const user = openConsole(`/dashboard/projects/${app.values.projectId}/apps/${app.id}/logs`, fake);
  await screen.findByText('Waiting for the first line…');
  act(() => {
    for (const line of stored.slice(-100)) fake.print(line);
  });
  const log = await screen.findByRole('log', { name: 'Logs' });
  return { app, fake, user, stored, log };
}

const lineTexts = () =>
  [...screen.getByRole('log', { name: 'Logs' }).querySelectorAll('.leading-5')].map(
    (row) => row.textContent ?? '',
  );
const currentLine = () =>
  screen.getByRole('log', { name: 'Logs' }).querySelector('.bg-busy-wash')?.textContent;
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe('the log filter', () => {
  it('shows only lines of the chosen kind, also when they are not loaded yet', async () => {
    const { user } = await openStoredLog(numbered(150), (index) => (index < 3 ? BUILD : RUN));
    await waitFor(() => expect(lineTexts().at(-1)).toBe('appline 150'));
    await user.click(screen.getByRole('radio', { name: 'Build' }));
    await waitFor(() => expect(lineTexts()).toEqual(['line 1', 'line 2', 'line 3']));
    expect(screen.getByRole('radio', { name: 'Build' }).getAttribute('aria-checked')).toBe('true');
    await user.click(screen.getByRole('radio', { name: 'App' }));
    await waitFor(() => expect(lineTexts().at(-1)).toBe('line 150'));
    expect(lineTexts().some((text) => ['line 1', 'line 2', 'line 3'].includes(text))).toBe(false);
    await user.click(screen.getByRole('radio', { name: 'All' }));
    await waitFor(() => expect(lineTexts().at(-1)).toBe('appline 150'));
  });

  it('keeps lines of another kind out while they arrive', async () => {
    const { user, fake } = await openStoredLog(['compiled', 'started'], (index) =>
      index === 0 ? BUILD : RUN,
    );
    await user.click(await screen.findByRole('radio', { name: 'Build' }));
    await waitFor(() => expect(lineTexts()).toEqual(['compiled']));
    act(() => {
      fake.print({ ...RUN, text: 'request', sequence: 3 });
      fake.print({ ...BUILD, text: 'compiled again', sequence: 4 });
    });
    await waitFor(() => expect(lineTexts()).toEqual(['compiled', 'compiled again']));
  });
});

const REQUEST = { name: 'app-1-access', source: 'access' } as const;
const request = (sequence: number, text: string) => ({
  ...REQUEST,
  sequence,
  text,
  at: new Date(NOW + sequence * 1_000).toISOString(),
});

describe('the access log', () => {
  it('is shown only when it is chosen, and new requests appear in it', async () => {
    const { user, fake } = await openStoredLog(['started']);
    act(() => fake.print(request(1, '200 GET /one')));
    await waitFor(() => expect(lineTexts()).toEqual(['started']));
    await user.click(screen.getByRole('radio', { name: 'Access' }));
    expect(
      await screen.findByText('No requests yet. Requests to the app appear here.'),
    ).toBeTruthy();
    act(() => {
      fake.print(request(2, '200 GET /two'));
      fake.print({ ...RUN, text: 'printed', sequence: 2 });
    });
    await waitFor(() => expect(lineTexts()).toEqual(['200 GET /two']));
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Access' }));
    await user.click(screen.getByRole('radio', { name: 'Output' }));
    await screen.findByText('Waiting for the first line…');
    expect(screen.queryByText('200 GET /two')).toBeNull();
  });

  it('has no filter for app and build', async () => {
    const { user } = await openStoredLog(['compiled', 'started'], (index) =>
      index === 0 ? BUILD : RUN,
    );
    expect(screen.getByRole('radio', { name: 'Build' })).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Access' }));
    expect(screen.queryByRole('radio', { name: 'Build' })).toBeNull();
  });

  it('is searched, downloaded and limited to a time range like other lines', async () => {
    const saved = watchSavedFiles();
    const { user, fake, app } = await openStoredLog(['a needle of the app']);
    const requests = ['404 GET /needle', '200 GET /'].map((text, index) =>
      request(index + 1, text),
    );
    fake.logs.stored.push(...requests);
    await user.click(screen.getByRole('radio', { name: 'Access' }));
    act(() => requests.forEach(fake.print));
    await waitFor(() => expect(lineTexts()).toEqual(['404 GET /needle', '200 GET /']));
    await user.type(screen.getByLabelText('Search logs'), 'needle');
    expect(await screen.findByText('1/1')).toBeTruthy();
    await waitFor(() => expect(currentLine()).toBe('404 GET /needle'));
    await user.click(screen.getByRole('button', { name: 'Download' }));
    await user.click(screen.getByRole('menuitem', { name: 'Everything kept' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    const target = { projectId: app.values.projectId, appId: app.id };
    expect(fake.logs.downloads).toEqual([{ ...target, kind: 'access' }]);
    await user.selectOptions(screen.getByLabelText('Time range'), 'Last 15 minutes');
    expect(await screen.findByText('No lines in this time range.')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Output' }));
    await screen.findByText('Waiting for the first line…');
  });

  it('says how much is kept', async () => {
    const app = anApp();
    const fake = createFakeClient({ resources: [aProject(), app] });
    fake.logs.stored.push(request(1, '200 GET /'));
    const user = openConsole(
      `/dashboard/projects/${app.values.projectId}/apps/${app.id}/logs`,
      fake,
    );
    await user.click(await screen.findByRole('radio', { name: 'Access' }));
    expect(await screen.findByText(/The newest 8 MiB of requests are kept/)).toBeTruthy();
  });
});

describe('the search', () => {
  it('finds lines that are not loaded, and loads what is around them', async () => {
    const texts = numbered(5_000).map((text, index) => (index === 1_233 ? 'a Needle' : text));
    const { user } = await openStoredLog(texts);
    await user.type(screen.getByLabelText('Search logs'), 'needle');
    expect(await screen.findByText('1/1')).toBeTruthy();
    await waitFor(() => expect(lineTexts()).toContain('a Needle'));
    expect(screen.getByText('Needle').tagName).toBe('MARK');
    await user.click(screen.getByRole('button', { name: 'Jump to latest' }));
    await waitFor(() => expect(lineTexts().at(-1)).toBe('line 5000'));
  });

  it('steps from the newest match to older ones, and stays at a match while lines arrive', async () => {
    const { user, fake } = await openStoredLog(['match 1', 'other', 'match 2', 'other', 'match 3']);
    await user.type(screen.getByLabelText('Search logs'), 'match');
    expect(await screen.findByText('1/3')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Next match' }));
    expect(screen.getByText('2/3')).toBeTruthy();
    act(() => fake.print({ ...RUN, text: 'match 4', sequence: 6 }));
    expect(await screen.findByText('3/4')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Previous match' }));
    expect(screen.getByText('2/4')).toBeTruthy();
  });

  it('shows the newest match of a longer text', async () => {
    const { user } = await openStoredLog(['needle', 'other', 'need']);
    const input = screen.getByLabelText('Search logs');
    await user.type(input, 'need');
    expect(await screen.findByText('1/2')).toBeTruthy();
    await user.type(input, 'l');
    expect(await screen.findByText('1/1')).toBeTruthy();
    await waitFor(() => expect(currentLine()).toBe('needle'));
  });

  it('shows the newest match of another filter', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `needle ${index}`);
    const { user } = await openStoredLog(texts, (index) => (index < 280 ? BUILD : RUN));
    await user.type(screen.getByLabelText('Search logs'), 'needle');
    expect(await screen.findByText('1/300')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Build' }));
    expect(await screen.findByText('1/280')).toBeTruthy();
    await user.click(screen.getByLabelText('Search logs'));
    await user.keyboard('{Enter}');
    expect(await screen.findByText('2/280')).toBeTruthy();
  });

  it('is focused with /', async () => {
    const { user } = await openStoredLog(['one']);
    await user.keyboard('/');
    expect(document.activeElement).toBe(screen.getByLabelText('Search logs'));
  });

  it('says when nothing matches, and why it failed', async () => {
    const { user, fake } = await openStoredLog(['one']);
    await user.type(screen.getByLabelText('Search logs'), 'nowhere');
    expect(await screen.findByText('No matches')).toBeTruthy();
    fake.failRequests('Network Error');
    await user.type(screen.getByLabelText('Search logs'), 's');
    expect((await screen.findByRole('alert')).textContent).toBe('Could not search: Network Error');
  });
});

describe('the time range', () => {
  it('shows only lines in a custom range, and refuses one that ends before it starts', async () => {
    const { user, stored } = await openStoredLog(numbered(600));
    await user.selectOptions(screen.getByLabelText('Time range'), 'Custom range');
    const minute = (index: number) => {
      const at = new Date(stored[index]?.at ?? '');
      return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    };
    fireEvent.change(screen.getByLabelText('To'), { target: { value: minute(119) } });
    await waitFor(() => expect(lineTexts().at(-1)).toBe('line 120'));
    fireEvent.change(screen.getByLabelText('From'), { target: { value: minute(400) } });
    expect((await screen.findByRole('alert')).textContent).toContain('The end is before the start');
    expect(lineTexts().at(-1)).toBe('line 120');
  });

  it('says when there are no lines in it', async () => {
    const { user } = await openStoredLog(['one']);
    await user.selectOptions(screen.getByLabelText('Time range'), 'Last 15 minutes');
    expect(await screen.findByText('No lines in this time range.')).toBeTruthy();
  });
});

describe('the download menu', () => {
  it('offers what is loaded, everything kept, and the matches of a search', async () => {
    const saved = watchSavedFiles();
    const { user, fake, app } = await openStoredLog(['one', 'two']);
    const target = { projectId: app.values.projectId, appId: app.id };
    await user.click(screen.getByRole('button', { name: 'Download' }));
    expect(screen.getByRole('menuitem', { name: 'Loaded lines' })).toBeTruthy();
    await user.click(screen.getByRole('menuitem', { name: 'Everything kept' }));
    await waitFor(() => expect(saved).toEqual(['app-3f2a91.log']));
    expect(fake.logs.downloads).toEqual([target]);
    await user.type(screen.getByLabelText('Search logs'), 'one');
    await user.click(screen.getByRole('button', { name: 'Download' }));
    await user.click(screen.getByRole('menuitem', { name: 'Lines that match the search' }));
    await waitFor(() => expect(fake.logs.downloads.at(-1)).toEqual({ ...target, text: 'one' }));
  });

  it('reports a failed download', async () => {
    const { user, fake } = await openStoredLog(['one']);
    fake.failRequests('Network Error');
    await user.click(screen.getByRole('button', { name: 'Download' }));
    await user.click(screen.getByRole('menuitem', { name: 'Everything kept' }));
    expect(await screen.findByText('Download failed')).toBeTruthy();
  });
});

/** The names of files that the page saves. */
function watchSavedFiles(): string[] {
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  onTestFinished(() => click.mockRestore());
  return saved;
}

it('says how much is kept, and since when', async () => {
  await openStoredLog(['one']);
  expect(await screen.findByText(/^Kept since Jan 31, 2026/)).toBeTruthy();
  expect(
    screen.getByText(/16 MiB of app output and 4 MiB for each of the last 10 builds/),
  ).toBeTruthy();
});
