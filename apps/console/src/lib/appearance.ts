import { ACCENTS, type Accent, DEFAULT_ACCENT, type Theme } from '@longshore/contract';

/** Spec §3, Local preference. No stored theme means: follow the system. */
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

/** Spec §4, Interface states: the toggle goes between dark and light. */
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
  showStored();
}

export function readAccent(): Accent {
  return knownAccent(root().dataset.accent ?? null);
}

export function chooseAccent(accent: Accent): void {
  localStorage.setItem(ACCENT_KEY, accent);
  showStored();
}

/** Calls when the page looks different, whoever changed it. Answers how to stop. */
export function watchAppearance(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(root(), { attributeFilter: ['data-theme', 'data-accent'] });
  return () => observer.disconnect();
}

/** Follows the system while nobody chose, and what another tab chose. Answers how to stop. */
export function followAppearance(): () => void {
  const system = systemIsDark();
  system.addEventListener('change', showStored);
  window.addEventListener('storage', showStored);
  return () => {
    system.removeEventListener('change', showStored);
    window.removeEventListener('storage', showStored);
  };
}

function showStored(): void {
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
