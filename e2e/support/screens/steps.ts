import { ROUTES, SERVICE_PATHS } from '@longshore/contract';
import type { Page } from 'playwright-core';
import type { SampleAccounts } from '../sample-accounts.ts';

const LIVE = new RegExp(SERVICE_PATHS.graphql[0]);

/** `tab`: below the path of the app; default: its overview. */
export const appPath =
  (
    state: keyof SampleAccounts['apps'],
    tab?: 'deployments' | 'logs' | 'metrics' | 'variables' | 'domains' | 'settings',
  ) =>
  ({ projectId, apps }: SampleAccounts) =>
    `${ROUTES.app(projectId, apps[state])}${tab === undefined ? '' : `/${tab}`}`;
export const projectPath = ({ projectId }: SampleAccounts) => ROUTES.project(projectId);

export function press(...names: string[]) {
  return async (page: Page) => {
    for (const name of names) await page.getByRole('button', { name }).first().click();
  };
}

/** Chooses an entry of the menu behind a button. */
export function choose(menu: string, choice: string) {
  return async (page: Page) => {
    await press(menu)(page);
    await page.getByRole('menuitem', { name: choice }).click();
  };
}

export function waitForText(text: string) {
  return (page: Page) => page.getByText(text).first().waitFor();
}

export function keys(shortcut: string, typed = '') {
  return async (page: Page) => {
    await page.keyboard.press(shortcut);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(typed);
  };
}

/** Live queries never get a response. */
export function withoutResponses(page: Page): Promise<void> {
  return page.routeWebSocket(LIVE, () => undefined);
}

/** Live queries fail with an error. */
export function withFailingQueries(page: Page): Promise<void> {
  return page.routeWebSocket(LIVE, (client) => {
    const server = client.connectToServer();
    server.onMessage((message) => {
      const { id, type } = JSON.parse(String(message));
      const error = { id, type: 'error', payload: [{ message: 'The database is away.' }] };
      client.send(type === 'next' ? JSON.stringify(error) : message);
    });
  });
}
