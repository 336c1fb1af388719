import { ACCOUNT } from './account.ts';
import { APPS } from './apps.ts';
import { AUTH } from './auth.ts';
import { DEPLOY } from './deploy.ts';
import { INTEGRATIONS } from './integrations.ts';
import { PROJECTS } from './projects.ts';
import type { Screen } from './screen.ts';
import { SHELL } from './shell.ts';

/** Every screen, dialog and menu. */
export const SCREENS: Screen[] = [
  ...AUTH,
  // Before the others: some minutes after the sign-in, they ask for the password first.
  ...ACCOUNT,
  ...PROJECTS,
  ...DEPLOY,
  ...APPS,
  ...INTEGRATIONS,
  ...SHELL,
];
