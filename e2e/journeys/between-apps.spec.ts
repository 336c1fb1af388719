import { join } from 'node:path';
import { autoDomain } from '@longshore/contract';
import { expect, it } from 'vitest';
import { signUp } from '../support/account.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { FETCHING_APP, HELLO_APP } from '../support/sample-apps.ts';
import { plainLongshore } from '../support/shared-longshore.ts';
import { isRoot } from '../support/unprivileged-user.ts';
import { untilSynced } from '../support/until-synced.ts';

const longshore = plainLongshore();

it.skipIf(!isRoot)(
  'apps reach the private names of their project and its public URLs',
  async () => {
    const ada = await signUp(longshore.url, 'ada@example.com');
    const eve = await signUp(longshore.url, 'eve@example.com');
    const hello = await makeRepository(join(longshore.folder, 'hello'), HELLO_APP);
    const fetching = await makeRepository(join(longshore.folder, 'fetching'), FETCHING_APP);
    const projectId = await ada.createProject('Harbour');
    const sleep = { afterMinutes: 60 };
    const api = await ada.deploy({ name: 'api', url: hello, sleep }, projectId);
    const web = { id: await ada.deploy({ name: 'web', url: fetching }, projectId), name: 'web' };
    const other = { id: await eve.deploy({ name: 'web', url: fetching }), name: 'web' };
    await Promise.all([
      untilSynced(ada, api),
      untilSynced(ada, web.id),
      untilSynced(eve, other.id),
    ]);

    const fetchFrom = async (app: { id: string; name: string }, url: string) =>
      (await requestApp(longshore, app, `/?${encodeURIComponent(url)}`)).body;
    const host = autoDomain({ id: api, name: 'api' }, 'localhost');
    const publicUrl = `http://${host}:${longshore.ingressPort}`;
    for (const url of ['http://api:3000', 'http://api.internal:3000', publicUrl]) {
      expect(await fetchFrom(web, url)).toBe('200 Ahoy');
    }
    expect(await fetchFrom(other, 'http://api.internal:3000')).toMatch(/ENOTFOUND|EAI_AGAIN/);
    expect(await fetchFrom(web, `http://localhost:${new URL(longshore.url).port}`)).toBe(
      'ECONNREFUSED',
    );

    // Only a request to its public URL wakes an app.
    await ada.hibernate(api);
    await untilSynced(ada, api);
    expect(await fetchFrom(web, 'http://api.internal:3000')).toMatch(/ENOTFOUND|EAI_AGAIN/);
    expect((await ada.app(api)).values.instances).toBe(0);
    expect(await fetchFrom(web, publicUrl)).toBe('200 Ahoy');
    for (const id of [api, web.id]) await ada.delete(id);
    await eve.delete(other.id);
  },
);
