import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Sheet, type SheetSide } from './sheet.tsx';

const EDGES: Record<SheetSide, string> = {
  top: 'top-0',
  bottom: 'bottom-0',
  left: 'left-0',
  right: 'right-0',
};

it.each(Object.entries(EDGES) as [SheetSide, string][])('slides from the %s', (side, edge) => {
  render(
    <Sheet title="Tides" side={side} onClose={() => undefined}>
      High water at noon
    </Sheet>,
  );
  expect(screen.getByRole('dialog', { name: 'Tides' }).className.split(' ')).toContain(edge);
});

it('slides from the right by default', () => {
  render(
    <Sheet title="Tides" onClose={() => undefined}>
      High water at noon
    </Sheet>,
  );
  expect(screen.getByRole('dialog').dataset.side).toBe('right');
});
