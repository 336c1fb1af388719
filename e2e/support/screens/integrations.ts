import { ROUTES } from '@longshore/contract';
import type { Screen } from './screen.ts';
import { press, unanswered } from './ways.ts';

export const INTEGRATIONS: Screen[] = [
  { name: 'integrations-none', who: 'newcomer', path: () => ROUTES.integrations },
  { name: 'integrations', who: 'owner', path: () => ROUTES.integrations },
  {
    name: 'integrations-awaited',
    who: 'owner',
    path: () => ROUTES.integrations,
    before: unanswered,
  },
  {
    name: 'integration-new',
    who: 'owner',
    path: () => ROUTES.integrations,
    open: press('Add New Integration'),
  },
  {
    name: 'integration-registry',
    who: 'owner',
    path: () => ROUTES.integrations,
    async open(page) {
      await press('Add New Integration')(page);
      await page.getByRole('tab', { name: 'Container registry' }).click();
    },
  },
  {
    name: 'integration-again',
    who: 'owner',
    path: () => ROUTES.integrations,
    open: press('Reconnect grace'),
  },
  {
    name: 'integration-remove',
    who: 'owner',
    path: () => ROUTES.integrations,
    open: press('Remove ada'),
  },
];
