import { useSyncExternalStore } from 'react';
import { readAccent, readTheme, readThemeChoice, watchAppearance } from './appearance.ts';

/** What the page looks like now. */
export function useTheme() {
  return useSyncExternalStore(watchAppearance, readTheme);
}

/** What was chosen: a theme, or to follow the system. */
export function useThemeChoice() {
  return useSyncExternalStore(watchAppearance, readThemeChoice);
}

export function useAccent() {
  return useSyncExternalStore(watchAppearance, readAccent);
}
