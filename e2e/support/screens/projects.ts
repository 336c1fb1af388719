import { ROUTES } from '@longshore/contract';
import type { Screen } from './screen.ts';
import { choose, failing, press, projectPath, shown, unanswered } from './ways.ts';

export const PROJECTS: Screen[] = [
  { name: 'projects-none', who: 'newcomer', path: () => ROUTES.projects },
  { name: 'projects', who: 'owner', path: () => ROUTES.projects },
  {
    name: 'project-menu',
    who: 'owner',
    path: () => ROUTES.projects,
    open: press('Actions for Sto'),
  },
  { name: 'project-new', who: 'owner', path: () => ROUTES.projects, open: press('New Project') },
  { name: 'project', who: 'owner', path: projectPath },
  { name: 'project-none', who: 'owner', path: (harbour) => ROUTES.project(harbour.emptyId) },
  { name: 'project-crowded', who: 'owner', path: (harbour) => ROUTES.project(harbour.crowdedId) },
  {
    name: 'project-submenu',
    who: 'owner',
    path: () => ROUTES.projects,
    async open(page) {
      await press('Actions for A great many')(page);
      await page.getByRole('menuitem', { name: 'Open' }).click();
      await page.getByRole('menuitem', { name: 'regional' }).first().waitFor();
    },
  },
  { name: 'project-missing', who: 'owner', path: () => ROUTES.project('nowhere') },
  { name: 'projects-awaited', who: 'owner', path: () => ROUTES.projects, before: unanswered },
  {
    name: 'projects-failed',
    who: 'owner',
    path: () => ROUTES.projects,
    before: failing,
    open: shown('The database is away.'),
  },
  {
    name: 'project-rename',
    who: 'owner',
    path: () => ROUTES.projects,
    open: choose('Actions for Sto', 'Rename'),
  },
  {
    name: 'project-delete',
    who: 'owner',
    path: () => ROUTES.projects,
    open: choose('Actions for Everything', 'Delete'),
  },
  {
    name: 'project-delete-blocked',
    who: 'owner',
    path: () => ROUTES.projects,
    open: choose('Actions for Sto', 'Delete'),
  },
  { name: 'project-awaited', who: 'owner', path: projectPath, before: unanswered },
];
