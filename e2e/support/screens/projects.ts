import { ROUTES } from '@longshore/contract';
import type { Screen } from './screen.ts';
import {
  choose,
  press,
  projectPath,
  waitForText,
  withFailingQueries,
  withoutResponses,
} from './steps.ts';

export const PROJECTS: Screen[] = [
  { name: 'projects-none', user: 'newUser', path: () => ROUTES.projects },
  { name: 'projects', user: 'owner', path: () => ROUTES.projects },
  {
    name: 'project-menu',
    user: 'owner',
    path: () => ROUTES.projects,
    open: press('Actions for Sto'),
  },
  { name: 'project-new', user: 'owner', path: () => ROUTES.projects, open: press('New Project') },
  { name: 'project', user: 'owner', path: projectPath },
  { name: 'project-none', user: 'owner', path: (accounts) => ROUTES.project(accounts.emptyId) },
  {
    name: 'project-crowded',
    user: 'owner',
    path: (accounts) => ROUTES.project(accounts.crowdedId),
  },
  {
    name: 'project-submenu',
    user: 'owner',
    path: () => ROUTES.projects,
    async open(page) {
      await press('Actions for A great many')(page);
      await page.getByRole('menuitem', { name: 'Open' }).click();
      await page.getByRole('menuitem', { name: 'regional' }).first().waitFor();
    },
  },
  { name: 'project-missing', user: 'owner', path: () => ROUTES.project('nowhere') },
  {
    name: 'projects-awaited',
    user: 'owner',
    path: () => ROUTES.projects,
    prepare: withoutResponses,
  },
  {
    name: 'projects-failed',
    user: 'owner',
    path: () => ROUTES.projects,
    prepare: withFailingQueries,
    open: waitForText('The database is away.'),
  },
  {
    name: 'project-rename',
    user: 'owner',
    path: () => ROUTES.projects,
    open: choose('Actions for Sto', 'Rename'),
  },
  {
    name: 'project-delete',
    user: 'owner',
    path: () => ROUTES.projects,
    open: choose('Actions for Everything', 'Delete'),
  },
  {
    name: 'project-delete-blocked',
    user: 'owner',
    path: () => ROUTES.projects,
    open: choose('Actions for Sto', 'Delete'),
  },
  { name: 'project-awaited', user: 'owner', path: projectPath, prepare: withoutResponses },
];
