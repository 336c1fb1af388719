import { ROUTES } from '@longshore/contract';
import { MESSAGES } from './messages.ts';

export type NavigationEntry = { label: string; path: string };

export const NAVIGATION: NavigationEntry[] = [
  { label: MESSAGES.pages.projects, path: ROUTES.projects },
  { label: MESSAGES.pages.integrations, path: ROUTES.integrations },
];

/** Spec §2, Dashboard shell: the path equals it or starts with it; /dashboard itself is matched exactly. */
export function isActiveEntry(entryPath: string, currentPath: string): boolean {
  if (entryPath === ROUTES.dashboard) return currentPath === entryPath;
  return currentPath.startsWith(entryPath);
}
