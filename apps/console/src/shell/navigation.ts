import { ROUTES } from '@longshore/contract';
import { MESSAGES } from './messages.ts';

export type NavigationEntry = { label: string; path: string };

export const NAVIGATION: NavigationEntry[] = [
  { label: MESSAGES.pages.projects, path: ROUTES.projects },
  { label: MESSAGES.pages.integrations, path: ROUTES.integrations },
];

/** Shown to operators only. */
export const OPERATOR_ENTRY: NavigationEntry = {
  label: MESSAGES.pages.operator,
  path: ROUTES.operator,
};

/** True if the path equals the entry's path or starts with it; /dashboard is matched exactly (spec-map 2.2). */
export function isActiveEntry(entryPath: string, currentPath: string): boolean {
  if (entryPath === ROUTES.dashboard) return currentPath === entryPath;
  return currentPath.startsWith(entryPath);
}
