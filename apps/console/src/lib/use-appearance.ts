import { useSyncExternalStore } from 'react';
import { readAccent, readTheme, readThemeChoice, watchAppearance } from './appearance.ts';

/** The theme that the page shows now. */
export function useTheme() {
  return useSyncExternalStore(watchAppearance, readTheme);
}

/** The user's choice: a theme, or `system`. */
export function useThemeChoice() {
  return useSyncExternalStore(watchAppearance, readThemeChoice);
}

export function useAccent() {
  return useSyncExternalStore(watchAppearance, readAccent);
}
