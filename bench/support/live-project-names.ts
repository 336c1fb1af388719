import {
  decodeResources,
  isProject,
  RESOURCES_SUBSCRIPTION,
  SERVICE_PATHS,
} from '@longshore/contract';
import { createClient } from 'graphql-ws';
import type { BenchUser } from './bench-user.ts';

export type LiveProjectNames = {
  /** Resolves when the live query shows a project of this name. */
  waitForName(name: string): Promise<void>;
  stop(): Promise<void>;
};

const TIMEOUT_MS = 10_000;

/** The console's live query over a websocket. Resolves after its first result. */
export async function followProjectNames(url: string, user: BenchUser): Promise<LiveProjectNames> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}${SERVICE_PATHS.graphql[0]}`,
    lazy: false,
    connectionParams: { headers: { Authorization: `Bearer ${user.accessToken}` } },
  });
  const variables = { userId: user.id };
  const results = client.iterate<{ resources: unknown }>({
    query: RESOURCES_SUBSCRIPTION,
    variables,
  });
  await results.next();
  const waiting = new Map<string, () => void>();
  void follow();
  return {
    waitForName: (name) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`No result contains the project ${name}`)),
          TIMEOUT_MS,
        );
        waiting.set(name, () => {
          clearTimeout(timer);
          resolve();
        });
      }),
    stop: async () => await client.dispose(),
  };

  async function follow(): Promise<void> {
    for await (const { data } of results) {
      const projects = decodeResources(data?.resources).filter(isProject);
      for (const { values } of projects) waiting.get(values.name)?.();
    }
  }
}
