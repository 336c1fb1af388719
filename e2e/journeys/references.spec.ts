import { join } from 'node:path';
import { autoDomain, ROUTES } from '@longshore/contract';
import { expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { API_VARIABLES_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { plainLongshore } from '../support/shared-longshore.ts';
import { untilSynced } from '../support/until-synced.ts';

const EMAIL = 'ada@example.com';
const browser = sharedBrowser();
const longshore = plainLongshore();

it('gives an app the address and a variable of another one, and names a reference that is lost', async () => {
  const ada = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(longshore.folder, 'app'), API_VARIABLES_APP);
  const projectId = await ada.createProject('Harbour');
  const api = await ada.deploy({ name: 'api', url, env: { API_TOKEN: 'first-secret' } }, projectId);
  const web = { id: await ada.deploy({ name: 'web', url }, projectId), name: 'web' };
  await untilSynced(ada, api);
  await untilSynced(ada, web.id);
  const page = await (await browser.newContext()).newPage();
  const errors = watchErrors(page);
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, web.id)}`);
  const app = new AppPage(page);
  await app.shows('Ready');
  await app.openTab('Variables');
  for (const variable of ['URL', 'API_TOKEN']) {
    await page.getByRole('button', { name: 'Add reference' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add reference' });
    await dialog.getByLabel('Variable').selectOption(variable);
    if (variable === 'URL') await picture(page, 'add-reference');
    await dialog.getByRole('button', { name: 'Add variable' }).click();
  }
  await page.getByText('Refers to API_TOKEN of api.').waitFor();
  await picture(page, 'references');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. The app restarts without a rebuild.').waitFor();
  const host = autoDomain({ id: api, name: 'api' }, 'localhost');
  const shown = (token: string) =>
    JSON.stringify({ API_TOKEN: token, API_URL: `http://${host}:${longshore.ingressPort}` });
  const body = async () => (await requestApp(longshore, web)).body;
  await expect.poll(body, { timeout: 60_000 }).toBe(shown('first-secret'));
  await untilSynced(ada, web.id);

  // A change of the other app is used by the next start. Before that, nothing changes.
  await ada.edit(api, { env: { API_TOKEN: 'second-secret' } });
  await untilSynced(ada, api);
  expect(await body()).toBe(shown('first-secret'));
  await app.openTab('Deployments');
  await page.getByRole('button', { name: 'Restart', exact: true }).click();
  await expect.poll(body, { timeout: 60_000 }).toBe(shown('second-secret'));
  await untilSynced(ada, web.id);
  await app.openTab('Logs');
  const lines = page.getByRole('log').getByText('variables: ');
  await expect.poll(() => lines.count(), { timeout: 60_000 }).toBe(3);
  expect(await page.getByRole('log').textContent()).not.toMatch(/(first|second)-secret/);

  // The app that is referred to is renamed: the next release names the reference, and the one before keeps serving.
  await ada.edit(api, { name: 'backend' });
  await ada.edit(web.id, {
    env: { ...(await ada.app(web.id)).values.env, COLOUR: 'blue' },
  });
  await app.openTab('Overview');
  await page.getByText('API_URL: ${{api.URL}}: The project has no app api.').waitFor();
  await picture(page, 'reference-not-found');
  expect(await body()).toBe(shown('second-secret'));
  expect(errors).toEqual([]);
  for (const id of [api, web.id]) await ada.delete(id);
});
