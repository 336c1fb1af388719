import { RESOURCES_SUBSCRIPTION, type Session } from '@longshore/contract';
import { createClient } from 'graphql-ws';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { bearer } from '../../backend.ts';

type Rows = { resources: { values: { name: string } }[] };

/** The names of a user's resources in each result. The client reconnects automatically, as in a browser. */
export function followNames(url: string, session: Session): string[][] {
  const results: string[][] = [];
  const client = createClient({
    url,
    webSocketImpl: WebSocket,
    retryAttempts: 1_000,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 50)),
    shouldRetry: () => true,
    connectionParams: () => ({ headers: bearer(session) }),
  });
  onTestFinished(async () => {
    // Fails if the server has stopped already.
    await Promise.resolve(client.dispose()).catch(() => {});
  });
  client.subscribe<Rows>(
    { query: RESOURCES_SUBSCRIPTION, variables: { userId: session.user.id } },
    {
      next: ({ data }) => void results.push((data?.resources ?? []).map((row) => row.values.name)),
      error() {},
      complete() {},
    },
  );
  return results;
}
