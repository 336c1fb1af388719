import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, it, vi } from 'vitest';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { lazyScreen } from './lazy-screen.ts';

function Harbour() {
  return <p>Harbour</p>;
}

/** A screen whose code fails to load as often as given. */
function show(failures: number): void {
  vi.spyOn(console, 'error').mockReturnValue();
  let loads = 0;
  const Screen = lazyScreen(async () => {
    loads += 1;
    if (loads <= failures) throw new TypeError('Failed to fetch dynamically imported module');
    return { Harbour };
  }, 'Harbour');
  render(
    <ErrorBoundary fallback={<p>This page failed to load</p>}>
      <Suspense fallback={<p>Loading</p>}>
        <Screen />
      </Suspense>
    </ErrorBoundary>,
  );
}

it('a screen whose code fails to load at first is shown', async () => {
  show(2);
  expect(await screen.findByText('Harbour', {}, { timeout: 10_000 })).toBeTruthy();
});

it('a screen whose code cannot be loaded is replaced by an error', async () => {
  show(3);
  expect(await screen.findByText('This page failed to load', {}, { timeout: 10_000 })).toBeTruthy();
});
