import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { BrowserRouter, Link } from 'react-router';
import { expect, it } from 'vitest';
import { LeaveQuestion } from './leave-question.tsx';

function Page({ hasChanges }: { hasChanges: boolean }) {
  return (
    <BrowserRouter>
      <Link to="/next">Next page</Link>
      <LeaveQuestion hasChanges={hasChanges} />
    </BrowserRouter>
  );
}

const LEAVE: [string, () => Promise<void>, string][] = [
  ['a link', () => userEvent.click(screen.getByRole('link', { name: 'Next page' })), '/next'],
  ['Back', async () => act(() => window.history.back()), '/before'],
];

it.each(LEAVE)('leaves by %s once the changes are saved', async (_, leave, path) => {
  window.history.replaceState({ idx: 0 }, '', '/before');
  window.history.pushState({ idx: 1 }, '', '/settings');
  const { rerender } = render(<Page hasChanges />);
  await leave();
  await screen.findByRole('alertdialog', { name: 'Discard changes?' });
  await waitFor(() => expect(window.location.pathname).toBe('/settings'));
  rerender(<Page hasChanges={false} />);
  await waitFor(() => expect(window.location.pathname).toBe(path));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});
