import { openRepositories } from '../../pages/deploy-dialog.ts';
import type { Screen } from './screen.ts';
import { press, projectPath } from './ways.ts';

export const DEPLOY: Screen[] = [
  { name: 'deploy', who: 'owner', path: projectPath, open: press('Deploy App') },
  {
    name: 'deploy-problems',
    who: 'owner',
    path: projectPath,
    async open(page) {
      await press('Deploy App', 'Manual deployment')(page);
      await page.getByRole('button', { name: 'Deploy', exact: true }).click();
      await page.getByText('Validation Error').first().waitFor();
    },
  },
  {
    name: 'deploy-repositories',
    who: 'owner',
    path: projectPath,
    async open(page) {
      await openRepositories(page, 'ada');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'deploy-repository',
    who: 'owner',
    path: projectPath,
    async open(page) {
      await openRepositories(page, 'ada');
      await page.getByRole('option').first().click();
      await page.getByLabel('Source Ref').waitFor();
    },
  },
  {
    name: 'deploy-image',
    who: 'owner',
    path: projectPath,
    async open(page) {
      await press('Deploy App', 'Manual deployment')(page);
      await page.getByRole('radio', { name: 'Container image' }).click();
    },
  },
];
