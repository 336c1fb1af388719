import { CANCEL_COMMAND, RUN_COMMAND, releaseValues, type Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer } from '../../../test/backend.ts';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../../test/graphql/graphql-fixture.ts';
import { TIERS } from '../../../test/tiers.ts';
import { appValues, VARIABLES } from '../../../test/values.ts';
import { createCommandStore } from '../../apps/commands.ts';
import { countApps } from '../../apps/owner-quotas.ts';
import { createReconcilerStore } from '../../apps/reconciler-store.ts';

let graphql: GraphqlFixture;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
});
afterAll(() => graphql.stop());

const COMMANDS = `query ($id: uuid!) {
  commands(where: {app_id: {_eq: $id}}, order_by: {number: desc}) {
    number command state exit_code message release actor timeout_seconds
  }
}`;

/** An app with a release that served. */
async function deployedApp(): Promise<string> {
  const id = await graphql.createApp();
  const store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
  const values = releaseValues(appValues(id));
  const added = { appId: id, generation: 1, desiredHash: 'a', values };
  const { number } = await store.addRelease(added);
  await store.endRelease({ appId: id, number, outcome: 'live' });
  return id;
}

const commandsOf = (id: string) => graphql.result(COMMANDS, { id });

it('queues a command in the release that served last, with who runs it', async () => {
  const id = await deployedApp();
  expect(await graphql.result(RUN_COMMAND, { id, command: ' npm run report ' })).toEqual({ id });
  expect(await commandsOf(id)).toMatchObject([
    {
      number: 1,
      command: 'npm run report',
      state: 'queued',
      release: 1,
      timeout_seconds: 600,
      actor: { userId: graphql.ada.user.id },
    },
  ]);
});

it('refuses a second command until the first has ended', async () => {
  const id = await deployedApp();
  const store = createCommandStore(graphql.backend.db);
  await graphql.result(RUN_COMMAND, { id, command: 'env' });
  const { errors } = await graphql.request(RUN_COMMAND, { id, command: 'env' });
  expect(errors?.[0]?.message).toMatch(/^Another command of this app is running\./);
  await store.end({ appId: id, number: 1, state: 'failed', exitCode: 4 });
  await graphql.result(RUN_COMMAND, { id, command: 'env' });
  expect(await commandsOf(id)).toMatchObject([
    { number: 2, state: 'queued' },
    { number: 1, state: 'failed', exit_code: 4 },
  ]);
  await store.end({ appId: id, number: 2, state: 'cancelled' });
});

it.each<[string, Record<string, unknown>, RegExp]>([
  ['an empty command', { command: ' ' }, /command.*Enter a command/],
  ['several lines', { command: 'a\nb' }, /command.*Must be one line/],
  ['a timeout of two hours', { command: 'env', timeout: 7_200 }, /timeout_seconds.*between 1 and/],
])('refuses %s', async (_, { timeout, ...variables }, message) => {
  const id = await deployedApp();
  const query = `mutation ($id: uuid!, $command: String!, $timeout: Int) {
    run_command(id: $id, command: $command, timeout_seconds: $timeout) { id }
  }`;
  const { errors } = await graphql.request(query, { id, timeout, ...variables });
  expect(errors?.[0]?.message).toMatch(message);
  expect(await commandsOf(id)).toEqual([]);
});

it('refuses an app without a release that ran', async () => {
  const id = await graphql.createApp();
  const { errors } = await graphql.request(RUN_COMMAND, { id, command: 'env' });
  expect(errors?.[0]?.message).toMatch(/^The app has no release that ran yet\./);
});

it('refuses personal access tokens, which cannot prove who uses them', async () => {
  const id = await deployedApp();
  const created = await graphql.backend.post<{ personalAccessToken: string }>(
    '/v1/auth/pat',
    { expiresAt: '2099-01-01T00:00:00Z', metadata: { name: 'CI' } },
    bearer(graphql.ada),
  );
  const { personalAccessToken } = created.body;
  const signedIn = await graphql.backend.post<{ session: Session }>('/v1/auth/signin/pat', {
    personalAccessToken,
  });
  const asToken = bearer(signedIn.body.session);
  const { errors } = await graphql.request(RUN_COMMAND, { id, command: 'env' }, asToken);
  expect(errors?.[0]?.message).toMatch(/^Personal access tokens cannot run commands\./);
  expect(await commandsOf(id)).toEqual([]);
});

it('counts a command as one more awake app of the account', async () => {
  const id = await deployedApp();
  const { db } = graphql.backend;
  const used = () => countApps(db, graphql.ada.user.id, TIERS);
  const before = await used();
  await graphql.result(RUN_COMMAND, { id, command: 'env' });
  expect((await used()).memoryBytes - before.memoryBytes).toBe(512 * 1024 ** 2);
  await createCommandStore(db).end({ appId: id, number: 1, state: 'succeeded', exitCode: 0 });
  expect(await used()).toEqual(before);
});

it('requests the cancellation of a command that exists', async () => {
  const id = await deployedApp();
  const store = createCommandStore(graphql.backend.db);
  await graphql.result(RUN_COMMAND, { id, command: 'sleep 100' });
  expect(await graphql.result(CANCEL_COMMAND, { id, number: 1 })).toEqual({ id });
  expect(await store.cancelled()).toContainEqual({ appId: id, number: 1 });
  const { errors } = await graphql.request(CANCEL_COMMAND, { id, number: 7 });
  expect(errors?.[0]?.message).toBe('Command 7 does not exist');
  await store.end({ appId: id, number: 1, state: 'cancelled' });
  expect(await store.cancelled()).not.toContainEqual({ appId: id, number: 1 });
});

it('runs four commands of an account at once, however many are queued at the same time', async () => {
  const { db } = graphql.backend;
  const store = createCommandStore(db);
  for (const { appId, number } of await store.queued()) {
    await store.end({ appId, number, state: 'cancelled' });
  }
  const ids = await Promise.all(Array.from({ length: 8 }, deployedApp));
  await Promise.all(
    ids.map((id) => graphql.request(RUN_COMMAND, { id, command: 'env' }, AS_ADMIN)),
  );
  const queued = await store.queued();
  expect(queued).toHaveLength(4);
  for (const { appId, number } of queued) await store.end({ appId, number, state: 'cancelled' });
});

it('starts a command once', async () => {
  const id = await deployedApp();
  const store = createCommandStore(graphql.backend.db);
  await graphql.result(RUN_COMMAND, { id, command: 'env' });
  const command = { appId: id, number: 1 };
  expect(await store.start(command, 'env')).toBe(true);
  await store.end({ ...command, state: 'succeeded', exitCode: 0, text: 'masked' });
  expect(await store.start(command, 'env')).toBe(false);
  expect(await commandsOf(id)).toMatchObject([{ state: 'succeeded', command: 'masked' }]);
});

it('counts on after the commands of a month ago were removed', async () => {
  const id = await deployedApp();
  const store = createCommandStore(graphql.backend.db);
  for (const number of [1, 2]) {
    await graphql.result(RUN_COMMAND, { id, command: 'env' });
    await store.end({ appId: id, number, state: 'succeeded', exitCode: 0 });
  }
  await graphql.backend.pool.query(
    `update deploy.commands set started_at = now() - interval '40 days' where app_id = $1`,
    [id],
  );
  await store.removeOld();
  expect(await commandsOf(id)).toMatchObject([{ number: 2 }]);
  await graphql.result(RUN_COMMAND, { id, command: 'env' });
  expect(await commandsOf(id)).toMatchObject([{ number: 3 }, { number: 2 }]);
  await store.end({ appId: id, number: 3, state: 'succeeded', exitCode: 0 });
});

it('keeps the newest 20 commands, and marks those of an earlier server', async () => {
  const id = await deployedApp();
  const store = createCommandStore(graphql.backend.db);
  for (let number = 1; number <= 21; number += 1) {
    await graphql.result(RUN_COMMAND, { id, command: 'env' });
    await store.start({ appId: id, number }, 'masked');
    if (number < 21) await store.end({ appId: id, number, state: 'succeeded', exitCode: 0 });
  }
  await store.interruptRunning('The server was restarted.');
  const commands = (await commandsOf(id)) as { number: number }[];
  expect(commands).toHaveLength(20);
  expect(commands[0]).toMatchObject({
    number: 21,
    command: 'masked',
    state: 'interrupted',
    message: 'The server was restarted.',
  });
  expect(commands.at(-1)?.number).toBe(2);
});
