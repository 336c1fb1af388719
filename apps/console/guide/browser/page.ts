import { chooseTheme, readTheme, toggledTheme } from '../../src/lib/appearance.ts';
import type { Section } from '../sections.ts';
import { startSearch } from './search-box.ts';

const LOAD_TIMEOUT_MS = 10_000;

startSearch({
  input: find('.search input'),
  list: find('#found'),
  async load() {
    const response = await fetch('/docs/sections.json', {
      signal: AbortSignal.timeout(LOAD_TIMEOUT_MS),
    });
    return (await response.json()) as Section[];
  },
});
startThemeButton(find('.theme'));

function startThemeButton(button: HTMLElement): void {
  const updateLabel = () => {
    button.ariaLabel = toggledTheme(readTheme()) === 'dark' ? 'Dark theme' : 'Light theme';
  };
  updateLabel();
  button.addEventListener('click', () => {
    chooseTheme(toggledTheme(readTheme()));
    updateLabel();
  });
}

function find<Found extends HTMLElement>(selector: string): Found {
  return document.querySelector(selector) as Found;
}
