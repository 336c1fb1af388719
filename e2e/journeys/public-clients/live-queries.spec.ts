import {
  CHART_VERSION,
  DELETE_RESOURCE,
  INSERT_RESOURCE,
  RESOURCES_SUBSCRIPTION,
  UPDATE_RESOURCE,
} from '@longshore/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { type Account, signIn, signUp } from '../../support/account.ts';
import { LIVE_CLIENTS, type LiveClient, type LiveRequest } from '../../support/live-client.ts';
import { newEmail, PASSWORD } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

/** The shortest lifetime that the server accepts. */
const TOKEN_SECONDS = 10;

const longshore = sharedLongshore({
  LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false',
  LONGSHORE_ACCESS_TOKEN_TTL: String(TOKEN_SECONDS),
});

type Rows = { resources: { id: string; values: { name: string } }[] };

const subscriptionOf = ({ session }: Account): LiveRequest => ({
  query: RESOURCES_SUBSCRIPTION,
  variables: { userId: session.user.id },
});

const insertRequest = ({ session: { user } }: Account, name: string): LiveRequest => ({
  query: INSERT_RESOURCE,
  variables: {
    userId: user.id,
    chartName: 'project',
    chartVersion: CHART_VERSION,
    values: { userId: user.id, name },
  },
});

describe.each(LIVE_CLIENTS)('%s', (_, connect) => {
  const clients: LiveClient[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.stop();
  });

  function open(accessToken: () => Promise<string>): LiveClient {
    const client = connect(longshore.url, accessToken);
    clients.push(client);
    return client;
  }

  const openAs = ({ session }: Account) => open(async () => session.accessToken);

  /** The names of the rows of every result. */
  function follow(client: LiveClient, account: Account): string[][] {
    const results: string[][] = [];
    client.follow(subscriptionOf(account), {
      next({ data }) {
        results.push((data as Rows).resources.map(({ values }) => values.name));
      },
    });
    return results;
  }

  const firstResult = (client: LiveClient, request: LiveRequest) =>
    new Promise<unknown>((resolve, reject) => {
      client.follow(request, { next: resolve, error: reject });
    });

  it('receives inserts, updates and deletes', async () => {
    const ada = await signUp(longshore.url, newEmail());
    const results = follow(openAs(ada), ada);
    await expect.poll(() => results).toEqual([[]]);
    const { query, variables } = insertRequest(ada, 'Harbour');
    const inserted = await ada.graphql<{ insert_resources_one: { id: string } }>(query, variables);
    const { id } = inserted.insert_resources_one;
    await expect.poll(() => results.at(-1)).toEqual(['Harbour']);
    const values = { userId: ada.session.user.id, name: 'Quay' };
    await ada.graphql(UPDATE_RESOURCE, { id, values });
    await expect.poll(() => results.at(-1)).toEqual(['Quay']);
    await ada.graphql(DELETE_RESOURCE, { id });
    await expect.poll(() => results).toEqual([[], ['Harbour'], ['Quay'], []]);
  });

  it('queries and mutates over the socket', async () => {
    const ada = await signUp(longshore.url, newEmail());
    const client = openAs(ada);
    expect(await firstResult(client, insertRequest(ada, 'Harbour'))).toMatchObject({
      data: { insert_resources_one: { id: expect.any(String) } },
    });
    expect(await firstResult(client, { query: '{ resources { values } }' })).toEqual({
      data: { resources: [{ values: { userId: ada.session.user.id, name: 'Harbour' } }] },
    });
  });

  it('reports errors of an operation and continues', async () => {
    const ada = await signUp(longshore.url, newEmail());
    const client = openAs(ada);
    const refused = await firstResult(client, { query: 'subscription { nothing }' }).catch(
      (error: unknown) => error,
    );
    // Both clients report the server's error, in a list or directly.
    expect([refused].flat()).toMatchObject([
      { message: "field 'nothing' not found in type: 'subscription_root'" },
    ]);
    expect(await firstResult(client, { query: '{ resources { id } }' })).toEqual({
      data: { resources: [] },
    });
  });

  it('reconnects with a fresh token after expiry without missing changes', async () => {
    const email = newEmail();
    const ada = await signUp(longshore.url, email, PASSWORD);
    const renewed = () => signIn(longshore.url, email, PASSWORD);
    const client = open(async () => (await renewed()).session.accessToken);
    const results = follow(client, ada);
    await expect.poll(() => results).toEqual([[]]);
    await expect.poll(client.connections, { timeout: (TOKEN_SECONDS + 5) * 1_000 }).toBe(2);
    const { query, variables } = insertRequest(ada, 'Harbour');
    await (await renewed()).graphql(query, variables);
    await expect.poll(() => results.at(-1)).toEqual(['Harbour']);
  });

  it('never receives rows of another user', async () => {
    const [ada, eve] = [
      await signUp(longshore.url, newEmail()),
      await signUp(longshore.url, newEmail()),
    ];
    const eveResults = follow(openAs(eve), ada);
    await expect.poll(() => eveResults).toEqual([[]]);
    const { query, variables } = insertRequest(ada, 'Secret');
    await ada.graphql(query, variables);
    const adaResults = follow(openAs(ada), ada);
    await expect.poll(() => adaResults).toEqual([['Secret']]);
    expect(eveResults).toEqual([[]]);
  });
});
