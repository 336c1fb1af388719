import { ROUTES } from '@longshore/contract';

export type NavigationEntry = { label: string; path: string };

export const NAVIGATION: NavigationEntry[] = [
  { label: 'Projects', path: ROUTES.projects },
  { label: 'Integrations', path: ROUTES.integrations },
];

/** Spec §2, Dashboard shell: the path equals it or starts with it; /dashboard itself is matched exactly. */
export function isActiveEntry(entryPath: string, currentPath: string): boolean {
  if (entryPath === ROUTES.dashboard) return currentPath === entryPath;
  return currentPath.startsWith(entryPath);
}
