import { ROUTES } from '@longshore/contract';
import type { Screen } from './screen.ts';
import { appPath, keys, press, projectPath } from './ways.ts';

export const SHELL: Screen[] = [
  { name: 'accents', who: 'owner', path: () => ROUTES.projects, open: press('Accent colour') },
  { name: 'menu', who: 'owner', path: () => ROUTES.projects, open: press('Menu'), isSmall: true },
  { name: 'palette', who: 'owner', path: appPath('ready'), open: keys('Control+k', 'web') },
  { name: 'palette-crowded', who: 'owner', path: projectPath, open: keys('Control+k', 'regional') },
  { name: 'keyboard-help', who: 'owner', path: () => ROUTES.projects, open: keys('?') },
  { name: 'unknown-in-shell', who: 'owner', path: () => '/dashboard/nowhere' },
];
