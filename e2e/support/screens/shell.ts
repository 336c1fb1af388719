import { ROUTES } from '@longshore/contract';
import type { Screen } from './screen.ts';
import { appPath, keys, press, projectPath } from './steps.ts';

export const SHELL: Screen[] = [
  { name: 'accents', user: 'owner', path: () => ROUTES.projects, open: press('Accent colour') },
  { name: 'menu', user: 'owner', path: () => ROUTES.projects, open: press('Menu'), isSmall: true },
  { name: 'palette', user: 'owner', path: appPath('ready'), open: keys('Control+k', 'web') },
  {
    name: 'palette-crowded',
    user: 'owner',
    path: projectPath,
    open: keys('Control+k', 'regional'),
  },
  { name: 'keyboard-help', user: 'owner', path: () => ROUTES.projects, open: keys('?') },
  { name: 'unknown-in-shell', user: 'owner', path: () => '/dashboard/nowhere' },
];
