import { createRequire } from 'node:module';
import { gql, type NormalizedCacheObject } from '@apollo/client/core';
import { CHART_VERSION, INSERT_RESOURCE, RESOURCES_SUBSCRIPTION } from '@longshore/contract';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { connectNhost3, newEmail, PASSWORD } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });

type Nhost = ReturnType<typeof connectNhost3>;
type Apollo = import('@apollo/client/core').ApolloClient<NormalizedCacheObject>;
type Rows = { resources: { values: { name: string } }[] };

const { createApolloClient } = loadAsInBrowser();
const closeCodes: number[] = [];
let nhost: Nhost;
let apollo: Apollo;
let userId: string;

beforeEach(async () => {
  globalThis.WebSocket = WatchedWebSocket;
  nhost = connectNhost3('nhost-js-3-3', longshore.url);
  apollo = createApolloClient({ nhost: nhost as never }) as Apollo;
  const { session } = await nhost.auth.signUp({ email: newEmail(), password: PASSWORD });
  userId = session.user.id;
});
afterEach(() => {
  apollo.stop();
  closeCodes.length = 0;
});

const insert = (name: string) =>
  apollo.mutate({
    mutation: gql(INSERT_RESOURCE),
    variables: {
      userId,
      chartName: 'project',
      chartVersion: CHART_VERSION,
      values: { userId, name },
    },
  });

function follow(): string[][] {
  const results: string[][] = [];
  const following = apollo
    .subscribe<Rows>({ query: gql(RESOURCES_SUBSCRIPTION), variables: { userId } })
    .subscribe(({ data }) => {
      results.push((data?.resources ?? []).map(({ values }) => values.name));
    });
  onTestFinished(() => following.unsubscribe());
  return results;
}

it('queries and mutates', async () => {
  await insert('Harbour');
  const { data } = await apollo.query<Rows>({ query: gql('{ resources { id values } }') });
  expect(data.resources).toMatchObject([
    { __typename: 'resources', values: { userId, name: 'Harbour' } },
  ]);
});

it('receives each change', async () => {
  const results = follow();
  await expect.poll(() => results).toEqual([[]]);
  await insert('Harbour');
  await expect.poll(() => results).toEqual([[], ['Harbour']]);
});

it('reconnects its socket with each new token without missing changes', async () => {
  const results = follow();
  await expect.poll(() => results).toEqual([[]]);
  await nhost.auth.refreshSession();
  await expect.poll(() => closeCodes).toContain(RESTART);
  await insert('Harbour');
  // The client waits up to four seconds before it reconnects.
  await expect.poll(() => results.at(-1)).toEqual(['Harbour']);
});

/** The close code with which the client closes its socket to reconnect. */
const RESTART = 4205;

/** The client creates a websocket only if `window` exists when it is loaded. */
function loadAsInBrowser(): typeof import('@nhost/apollo') {
  const globals = globalThis as { window?: unknown };
  globals.window = globalThis;
  try {
    return createRequire(import.meta.url)('@nhost/apollo');
  } finally {
    delete globals.window;
  }
}

class WatchedWebSocket extends WebSocket {
  override close(code?: number, reason?: string): void {
    if (code !== undefined) closeCodes.push(code);
    super.close(code, reason);
  }
}
