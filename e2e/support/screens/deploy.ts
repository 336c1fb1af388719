import { openRepositories } from '../../pages/deploy-dialog.ts';
import type { Screen } from './screen.ts';
import { press, projectPath } from './steps.ts';

export const DEPLOY: Screen[] = [
  { name: 'deploy', user: 'owner', path: projectPath, open: press('Deploy App') },
  {
    name: 'deploy-problems',
    user: 'owner',
    path: projectPath,
    async open(page) {
      await press('Deploy App', 'Manual deployment')(page);
      await page.getByRole('button', { name: 'Deploy', exact: true }).click();
      await page.getByText('Validation Error').first().waitFor();
    },
  },
  {
    name: 'deploy-advanced',
    user: 'owner',
    path: projectPath,
    async open(page) {
      await press('Deploy App', 'Manual deployment')(page);
      await page.locator('summary', { hasText: 'Advanced' }).click();
      await page.getByLabel('CPU and memory').selectOption('1 CPU, 1 GiB');
    },
  },
  {
    name: 'deploy-repositories',
    user: 'owner',
    path: projectPath,
    async open(page) {
      await openRepositories(page, 'ada');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'deploy-repository',
    user: 'owner',
    path: projectPath,
    async open(page) {
      await openRepositories(page, 'ada');
      await page.getByRole('option').first().click();
      await page.getByLabel('Source Ref').waitFor();
    },
  },
  {
    name: 'deploy-image',
    user: 'owner',
    path: projectPath,
    async open(page) {
      await press('Deploy App', 'Manual deployment')(page);
      await page.getByRole('radio', { name: 'Container image' }).click();
    },
  },
];
