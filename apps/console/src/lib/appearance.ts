import { ACCENTS, type Accent, DEFAULT_ACCENT, type Theme } from '@longshore/contract';

/** The theme follows the system if none is stored (spec-map 3.9). */
export type ShownTheme = Exclude<Theme, 'system'>;

const THEME_KEY = 'theme';
const ACCENT_KEY = 'accentColor';

export function shownTheme(stored: string | null, systemIsDark: boolean): ShownTheme {
  const choice = knownTheme(stored);
  if (choice !== 'system') return choice;
  return systemIsDark ? 'dark' : 'light';
}

function knownTheme(stored: string | null): Theme {
  return stored === 'light' || stored === 'dark' || stored === 'amber' ? stored : 'system';
}

/** The toggle switches between dark and light (spec-map 4.3). */
export function toggledTheme(theme: ShownTheme): ShownTheme {
  return theme === 'dark' ? 'light' : 'dark';
}

export function knownAccent(stored: string | null): Accent {
  return ACCENTS.find((accent) => accent === stored) ?? DEFAULT_ACCENT;
}

export function readTheme(): ShownTheme {
  return shownTheme(root().dataset.theme ?? null, false);
}

export function readThemeChoice(): Theme {
  return knownTheme(localStorage.getItem(THEME_KEY));
}

export function chooseTheme(choice: Theme): void {
  if (choice === 'system') localStorage.removeItem(THEME_KEY);
  else localStorage.setItem(THEME_KEY, choice);
  applyStored();
}

export function readAccent(): Accent {
  return knownAccent(root().dataset.accent ?? null);
}

export function chooseAccent(accent: Accent): void {
  localStorage.setItem(ACCENT_KEY, accent);
  applyStored();
}

/** Calls `changed` when the theme or accent of the page changes. Returns the function that stops it. */
export function watchAppearance(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(root(), { attributeFilter: ['data-theme', 'data-accent'] });
  return () => observer.disconnect();
}

/** Applies changes of the system theme and choices made in other tabs. Returns the function that stops it. */
export function followAppearance(): () => void {
  const system = systemIsDark();
  system.addEventListener('change', applyStored);
  window.addEventListener('storage', applyStored);
  return () => {
    system.removeEventListener('change', applyStored);
    window.removeEventListener('storage', applyStored);
  };
}

function applyStored(): void {
  const { dataset } = root();
  dataset.theme = shownTheme(localStorage.getItem(THEME_KEY), systemIsDark().matches);
  dataset.accent = knownAccent(localStorage.getItem(ACCENT_KEY));
}

function systemIsDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}

function root(): HTMLElement {
  return document.documentElement;
}
