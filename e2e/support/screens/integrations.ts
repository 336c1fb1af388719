import { ROUTES } from '@longshore/contract';
import type { Screen } from './screen.ts';
import { press, withoutResponses } from './steps.ts';

export const INTEGRATIONS: Screen[] = [
  { name: 'integrations-none', user: 'newUser', path: () => ROUTES.integrations },
  { name: 'integrations', user: 'owner', path: () => ROUTES.integrations },
  {
    name: 'integrations-awaited',
    user: 'owner',
    path: () => ROUTES.integrations,
    prepare: withoutResponses,
  },
  {
    name: 'integration-new',
    user: 'owner',
    path: () => ROUTES.integrations,
    open: press('Add New Integration'),
  },
  {
    name: 'integration-registry',
    user: 'owner',
    path: () => ROUTES.integrations,
    async open(page) {
      await press('Add New Integration')(page);
      await page.getByRole('tab', { name: 'Container registry' }).click();
    },
  },
  {
    name: 'integration-again',
    user: 'owner',
    path: () => ROUTES.integrations,
    open: press('Reconnect grace'),
  },
  {
    name: 'integration-remove',
    user: 'owner',
    path: () => ROUTES.integrations,
    open: press('Remove ada'),
  },
];
