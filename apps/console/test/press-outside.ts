import { act, fireEvent } from '@testing-library/react';

/** A press outside the open dialog. */
export async function pressOutside(): Promise<void> {
  // Radix listens in the next task.
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  const press = new PointerEvent('pointerdown', { bubbles: true });
  // Later than a double click.
  Object.defineProperty(press, 'timeStamp', { value: performance.now() + 10_000 });
  fireEvent(document.body, press);
  // As in browsers: the press takes the focus away before Radix reports it.
  act(() => (document.activeElement as HTMLElement).blur());
  fireEvent.click(document.body);
}
