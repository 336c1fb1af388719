import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { BrowserRouter, Link, useLocation } from 'react-router';
import { describe, expect, it } from 'vitest';
import { pressOutside } from '../../test/press-outside.ts';
import { Dialog } from './dialog.tsx';
import { UnsavedEdits } from './unsaved-edits.tsx';

function Page() {
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('shop');
  return (
    <>
      <p data-testid="path">{pathname}</p>
      <Link to="/edit">Next page</Link>
      <button type="button" onClick={() => setOpen(true)}>
        Rename
      </button>
      {isOpen && (
        <Dialog isOpen title="Rename" onOpenChange={() => setOpen(false)}>
          <UnsavedEdits before="shop" after={name} />
          <input aria-label="Name" value={name} onChange={(event) => setName(event.target.value)} />
        </Dialog>
      )}
    </>
  );
}

async function openDialog() {
  window.history.replaceState(null, '', '/start');
  render(
    <BrowserRouter>
      <Page />
    </BrowserRouter>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('link', { name: 'Next page' }));
  await user.click(screen.getByRole('button', { name: 'Rename' }));
  return user;
}

async function edit() {
  const user = await openDialog();
  await user.type(screen.getByLabelText('Name'), 's');
  return user;
}

const question = () => screen.queryByRole('alertdialog', { name: 'Discard changes?' });
const dialog = () => screen.queryByRole('dialog', { name: 'Rename' });
type User = Awaited<ReturnType<typeof openDialog>>;

const WAYS: [string, (user: User) => Promise<void>][] = [
  ['Escape', (user) => user.keyboard('{Escape}')],
  ['the close button', (user) => user.click(screen.getByRole('button', { name: 'Close' }))],
  ['a press outside', pressOutside],
];

describe.each(WAYS)('%s', (_, close) => {
  it('closes a dialog without edits at once', async () => {
    const user = await openDialog();
    await close(user);
    await waitFor(() => expect(dialog()).toBeNull());
  });

  it('asks before it discards edits, and returns the focus to the field', async () => {
    const user = await edit();
    await close(user);
    const keep = await screen.findByRole('button', { name: 'Keep editing' });
    await waitFor(() => expect(document.activeElement).toBe(keep));
    expect(dialog()).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(question()).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('shops');
    const isOnClose = document.activeElement === screen.getByRole('button', { name: 'Close' });
    expect(isOnClose || document.activeElement === screen.getByLabelText('Name')).toBe(true);
  });

  it('closes after Discard, and returns the focus to the opener', async () => {
    const user = await edit();
    await close(user);
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(dialog()).toBeNull());
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Rename' })),
    );
  });
});

it('an edit that was taken back is not asked about', async () => {
  const user = await edit();
  await user.keyboard('{Backspace}{Escape}');
  await waitFor(() => expect(dialog()).toBeNull());
});

it('going back to a field answers the question', async () => {
  const user = await edit();
  await user.keyboard('{Escape}');
  await screen.findByRole('alertdialog');
  await user.click(screen.getByLabelText('Name'));
  expect(question()).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
});

describe('Back', () => {
  const path = () => screen.getByTestId('path').textContent;

  it('leaves the page of a dialog without edits', async () => {
    await openDialog();
    act(() => window.history.back());
    await waitFor(() => expect(path()).toBe('/start'));
  });

  it('asks before it discards edits, and goes back after Discard', async () => {
    const user = await edit();
    act(() => window.history.back());
    await screen.findByRole('alertdialog');
    await waitFor(() => expect(window.location.pathname).toBe('/edit'));
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    act(() => window.history.back());
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(path()).toBe('/start'));
    expect(dialog()).toBeNull();
  });
});

it.each([
  ['edits', edit, true],
  ['no edits', openDialog, false],
])('closing the tab with %s: the browser asks: %#', async (_, open, asks) => {
  await open();
  const unload = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(unload);
  expect(unload.defaultPrevented).toBe(asks);
});
