import { RESOURCES_SUBSCRIPTION, type Session } from '@longshore/contract';
import { createClient } from 'graphql-ws';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { bearer } from '../../backend.ts';

type Rows = { resources: { values: { name: string } }[] };

/** The names of a user's resources, each time they come. A client that connects again by itself, as browsers' do. */
export function followNames(url: string, session: Session): string[][] {
  const heard: string[][] = [];
  const client = createClient({
    url,
    webSocketImpl: WebSocket,
    retryAttempts: 1_000,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 50)),
    shouldRetry: () => true,
    connectionParams: () => ({ headers: bearer(session) }),
  });
  onTestFinished(async () => {
    // A server that is gone by then cannot be said goodbye to.
    await Promise.resolve(client.dispose()).catch(() => {});
  });
  client.subscribe<Rows>(
    { query: RESOURCES_SUBSCRIPTION, variables: { userId: session.user.id } },
    {
      next: ({ data }) => void heard.push((data?.resources ?? []).map((row) => row.values.name)),
      error() {},
      complete() {},
    },
  );
  return heard;
}
