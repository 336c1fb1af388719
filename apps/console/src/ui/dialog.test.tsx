import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Dialog } from './dialog.tsx';

const OPENED_MS = performance.now();

it.each([
  ['soon after the dialog opened does not close it', [], 100, 0],
  ['soon after a press inside does not close it', [10_000], 10_100, 0],
  ['later closes it', [10_000], 11_000, 1],
])('a press outside %s', async (_, inside, outside, closed) => {
  let timesClosed = 0;
  render(
    <Dialog isOpen title="Tides" onOpenChange={() => timesClosed++}>
      High water at noon
    </Dialog>,
  );
  await nextTask();
  for (const afterMs of inside) await press(screen.getByText('High water at noon'), afterMs);
  await press(document.body, outside);
  expect(timesClosed).toBe(closed);
});

async function press(where: Element, afterMs: number): Promise<void> {
  const event = new PointerEvent('pointerdown', { bubbles: true });
  Object.defineProperty(event, 'timeStamp', { value: OPENED_MS + afterMs });
  fireEvent(where, event);
  fireEvent.click(where);
  await nextTask();
}

/** The dialog handles events in separate tasks. */
async function nextTask(): Promise<void> {
  await act(() => new Promise((resolve) => setTimeout(resolve)));
}
