import { ROUTES } from '@longshore/contract';
import type { Page } from 'playwright-core';
import type { Harbour } from './harbour.ts';

export type Visitor = 'nobody' | 'newcomer' | 'owner';

/** One state of the console, and the way to it. */
export type Screen = {
  name: string;
  who: Visitor;
  path(harbour: Harbour): string;
  /** What is done there before one looks. */
  open?(page: Page): Promise<void>;
  /** Only where the screen is this small. */
  isSmall?: true;
};

const appPath = (state: keyof Harbour['apps']) => (harbour: Harbour) =>
  ROUTES.app(harbour.projectId, harbour.apps[state]);
const projectPath = ({ projectId }: Harbour) => ROUTES.project(projectId);

/** Every screen, dialog and menu. */
export const SCREENS: Screen[] = [
  { name: 'login', who: 'nobody', path: () => ROUTES.login },
  { name: 'signup', who: 'nobody', path: () => ROUTES.signup },
  { name: 'verify-email', who: 'nobody', path: () => ROUTES.verifyEmail, open: press('Resend') },
  { name: 'forgot-password', who: 'nobody', path: () => ROUTES.forgotPassword },
  {
    name: 'toast',
    who: 'nobody',
    path: () => ROUTES.forgotPassword,
    async open(page) {
      await press('Send Reset Link')(page);
      await page.getByText('Please enter your email address').first().waitFor();
    },
  },
  { name: 'unknown', who: 'nobody', path: () => '/nowhere' },
  { name: 'projects-none', who: 'newcomer', path: () => ROUTES.projects },
  { name: 'integrations-none', who: 'newcomer', path: () => ROUTES.integrations },
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
  { name: 'deploy', who: 'owner', path: projectPath, open: press('Deploy App') },
  {
    name: 'deploy-problems',
    who: 'owner',
    path: projectPath,
    async open(page) {
      await press('Deploy App')(page);
      await press('Manual deployment')(page);
      await page.getByRole('button', { name: 'Deploy', exact: true }).click();
      await page.getByText('Validation Error').first().waitFor();
    },
  },
  { name: 'app-ready', who: 'owner', path: appPath('ready'), open: releases },
  {
    name: 'app-loading',
    who: 'owner',
    path: appPath('loading'),
    open: shown('waiting for the tide'),
  },
  { name: 'app-failed', who: 'owner', path: appPath('failed'), open: releases },
  { name: 'app-hibernated', who: 'owner', path: appPath('hibernated'), open: releases },
  {
    name: 'app-edit',
    who: 'owner',
    path: appPath('ready'),
    async open(page) {
      await press('Edit App')(page);
      await page.getByLabel('Application Name').fill('another-name');
      await page.getByLabel('Port', { exact: true }).fill('8080');
      await page.getByText('Changes: ').waitFor();
    },
  },
  { name: 'app-edit-crowded', who: 'owner', path: appPath('hibernated'), open: press('Edit App') },
  { name: 'app-delete', who: 'owner', path: appPath('ready'), open: press('Delete') },
  {
    name: 'app-roll-back',
    who: 'owner',
    path: appPath('ready'),
    open: press('Roll back to release 1'),
  },
  {
    name: 'app-build-log',
    who: 'owner',
    path: appPath('ready'),
    open: press('Build log of release 1'),
  },
  { name: 'app-missing', who: 'owner', path: ({ projectId }) => ROUTES.app(projectId, 'nowhere') },
  { name: 'integrations', who: 'owner', path: () => ROUTES.integrations },
  { name: 'profile', who: 'owner', path: () => ROUTES.profile },
  { name: 'change-password', who: 'owner', path: () => ROUTES.newPassword },
  { name: 'security', who: 'owner', path: () => ROUTES.security, open: shown('This browser') },
  { name: 'passkey', who: 'owner', path: () => ROUTES.security, open: press('Add passkey') },
  {
    name: 'authenticator',
    who: 'owner',
    path: () => ROUTES.security,
    async open(page) {
      await press('Set up')(page);
      await page.getByAltText('QR code for your authenticator app').waitFor();
    },
  },
  { name: 'token', who: 'owner', path: () => ROUTES.security, open: press('Create token') },
  { name: 'accents', who: 'owner', path: () => ROUTES.projects, open: press('Accent colour') },
  { name: 'menu', who: 'owner', path: () => ROUTES.projects, open: press('Menu'), isSmall: true },
  { name: 'palette', who: 'owner', path: appPath('ready'), open: keys('Control+k', 'web') },
  { name: 'palette-crowded', who: 'owner', path: projectPath, open: keys('Control+k', 'regional') },
  { name: 'keyboard-help', who: 'owner', path: () => ROUTES.projects, open: keys('?') },
  { name: 'unknown-in-shell', who: 'owner', path: () => '/dashboard/nowhere' },
];

function press(name: string) {
  return (page: Page) => page.getByRole('button', { name }).first().click();
}

function shown(text: string) {
  return (page: Page) => page.getByText(text).first().waitFor();
}

function keys(shortcut: string, typed = '') {
  return async (page: Page) => {
    await page.keyboard.press(shortcut);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(typed);
  };
}

/** The history comes after the app. */
async function releases(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Releases' }).getByRole('listitem').first().waitFor();
}
