import { ACCOUNT } from './account.ts';
import { APPS } from './apps.ts';
import { DEPLOY } from './deploy.ts';
import { ENTRANCE } from './entrance.ts';
import { INTEGRATIONS } from './integrations.ts';
import { PROJECTS } from './projects.ts';
import type { Screen } from './screen.ts';
import { SHELL } from './shell.ts';

/** Every screen, dialog and menu. */
export const SCREENS: Screen[] = [
  ...ENTRANCE,
  ...PROJECTS,
  ...DEPLOY,
  ...APPS,
  ...INTEGRATIONS,
  ...ACCOUNT,
  ...SHELL,
];
