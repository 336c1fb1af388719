import type { Section } from '../sections.ts';
import { excerptOf, findSections } from './find-sections.ts';

type SearchBox = { input: HTMLInputElement; list: HTMLElement; load(): Promise<Section[]> };

/** Lists matching sections while the user types; arrow keys select, Enter opens, Escape closes. */
export function startSearch({ input, list, load }: SearchBox): void {
  let sections: Promise<Section[]> | undefined;
  let selected = 0;

  async function show(): Promise<void> {
    sections ??= load();
    const query = input.value;
    const found = findSections(await sections.catch(() => []), query);
    if (query !== input.value) return;
    selected = 0;
    list.replaceChildren(...found.map((section, index) => entryOf(section, index, query)));
    if (found.length === 0 && query.trim() !== '') list.replaceChildren(noResults());
    setOpen(query.trim() !== '');
    markSelected();
  }

  function setOpen(isOpen: boolean): void {
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
  }

  function markSelected(): void {
    const entries = [...list.querySelectorAll('a')];
    for (const [index, entry] of entries.entries()) {
      entry.setAttribute('aria-selected', String(index === selected));
    }
    const current = entries[selected];
    if (current === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', current.id);
    current?.scrollIntoView({ block: 'nearest' });
  }

  function handleKey(event: KeyboardEvent): void {
    const entries = list.querySelectorAll('a');
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      selected = (selected + step + entries.length) % entries.length;
      markSelected();
    }
    if (event.key === 'Enter') entries[selected]?.click();
    if (event.key === 'Escape') setOpen(false);
  }

  input.addEventListener('input', () => void show());
  input.addEventListener('focus', () => void show());
  input.addEventListener('keydown', handleKey);
  list.addEventListener('click', () => setOpen(false));
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !list.contains(target) && target !== input) setOpen(false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target === input) return;
    event.preventDefault();
    input.focus();
  });
}

function entryOf(section: Section, index: number, query: string): HTMLElement {
  const entry = document.createElement('a');
  entry.id = `found-${index}`;
  entry.href = section.href;
  entry.role = 'option';
  entry.tabIndex = -1;
  const heading = document.createElement('b');
  heading.textContent =
    section.heading === section.page ? section.page : `${section.page} › ${section.heading}`;
  const excerpt = document.createElement('span');
  excerpt.textContent = excerptOf(section, query);
  entry.append(heading, excerpt);
  return entry;
}

function noResults(): HTMLElement {
  const note = document.createElement('p');
  note.textContent = 'No results';
  return note;
}
