import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { Dialog } from '../ui/dialog.tsx';
import { SearchInput } from '../ui/search-input.tsx';

const search = <SearchInput label="Search" value="" onChange={() => undefined} />;

/** Presses `/` and returns whether the page consumed the key. */
function pressSlash(target: Element, keys: KeyboardEventInit = {}): boolean {
  const press = createEvent.keyDown(target, { key: '/', ...keys });
  fireEvent(target, press);
  return press.defaultPrevented;
}

function isSearchFocused(): boolean {
  return document.activeElement === screen.queryByRole('searchbox', { hidden: true });
}

function inDialog(children: ReactNode) {
  return (
    <Dialog isOpen onOpenChange={() => undefined} title="Deploy App">
      {children}
    </Dialog>
  );
}

describe('the key /', () => {
  it('focuses the search of the page', () => {
    render(search);
    expect(pressSlash(document.body)).toBe(true);
    expect(isSearchFocused()).toBe(true);
  });

  it('does nothing on a page without a search', () => {
    render(<p>No search</p>);
    expect(pressSlash(document.body)).toBe(false);
    expect(document.activeElement).toBe(document.body);
  });

  it.each([
    ['a text field', <input key="field" aria-label="Field" />],
    ['a text area', <textarea key="field" aria-label="Field" />],
    ['a select', <select key="field" aria-label="Field" />],
  ])('is not consumed in %s', (_, field) => {
    render(
      <>
        {search}
        {field}
      </>,
    );
    expect(pressSlash(screen.getByLabelText('Field'))).toBe(false);
    expect(isSearchFocused()).toBe(false);
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { isComposing: true }])(
    'is not consumed with %j',
    (keys) => {
      render(search);
      expect(pressSlash(document.body, keys)).toBe(false);
    },
  );

  it('does not focus a search behind an open dialog', () => {
    render(
      <>
        {search}
        {inDialog(<button type="button">Manual deployment</button>)}
      </>,
    );
    expect(pressSlash(screen.getByRole('button', { name: 'Manual deployment' }))).toBe(false);
    expect(isSearchFocused()).toBe(false);
  });

  it('focuses the search of the open dialog', () => {
    render(inDialog(search));
    expect(pressSlash(screen.getByRole('button', { name: 'Close' }))).toBe(true);
    expect(isSearchFocused()).toBe(true);
  });
});
