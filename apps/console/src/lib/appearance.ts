import { ACCENTS, type Accent, DEFAULT_ACCENT } from '@longshore/contract';

/** Spec §3, Local preference. No stored theme means: follow the system. */
export type ShownTheme = 'light' | 'dark' | 'amber';

const THEME_KEY = 'theme';
const ACCENT_KEY = 'accentColor';

export function shownTheme(stored: string | null, systemIsDark: boolean): ShownTheme {
  if (stored === 'light' || stored === 'dark' || stored === 'amber') return stored;
  return systemIsDark ? 'dark' : 'light';
}

/** Spec §4, Interface states: the toggle goes between dark and light. */
export function toggledTheme(theme: ShownTheme): ShownTheme {
  return theme === 'dark' ? 'light' : 'dark';
}

export function knownAccent(stored: string | null): Accent {
  return ACCENTS.find((accent) => accent === stored) ?? DEFAULT_ACCENT;
}

export function readTheme(): ShownTheme {
  const { theme = null } = document.documentElement.dataset;
  return shownTheme(theme, false);
}

export function chooseTheme(theme: ShownTheme): void {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem(THEME_KEY, theme);
}

export function readAccent(): Accent {
  return knownAccent(document.documentElement.dataset.accent ?? null);
}

export function chooseAccent(accent: Accent): void {
  document.documentElement.dataset.accent = accent;
  localStorage.setItem(ACCENT_KEY, accent);
}

/** Keeps following the system while nobody chose. Answers how to stop. */
export function followSystemTheme(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => {
    if (localStorage.getItem(THEME_KEY) !== null) return;
    document.documentElement.dataset.theme = shownTheme(null, system.matches);
    changed();
  };
  system.addEventListener('change', follow);
  return () => system.removeEventListener('change', follow);
}
