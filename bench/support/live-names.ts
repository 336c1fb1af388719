import {
  decodeResources,
  isProject,
  RESOURCES_SUBSCRIPTION,
  SERVICE_PATHS,
} from '@longshore/contract';
import { createClient } from 'graphql-ws';
import type { Person } from './person.ts';

export type LiveNames = {
  /** Resolves when the live query shows a project of this name. */
  shows(name: string): Promise<void>;
  stop(): Promise<void>;
};

const TIMEOUT_MS = 10_000;

/** The console's own live query, over a websocket; resolves after its first answer. */
export async function followNames(url: string, person: Person): Promise<LiveNames> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}${SERVICE_PATHS.graphql[0]}`,
    lazy: false,
    connectionParams: { headers: { Authorization: `Bearer ${person.accessToken}` } },
  });
  const variables = { userId: person.id };
  const answers = client.iterate<{ resources: unknown }>({
    query: RESOURCES_SUBSCRIPTION,
    variables,
  });
  await answers.next();
  const waiting = new Map<string, () => void>();
  void follow();
  return {
    shows: (name) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${name} never came`)), TIMEOUT_MS);
        waiting.set(name, () => {
          clearTimeout(timer);
          resolve();
        });
      }),
    stop: async () => await client.dispose(),
  };

  async function follow(): Promise<void> {
    for await (const { data } of answers) {
      const projects = decodeResources(data?.resources).filter(isProject);
      for (const { values } of projects) waiting.get(values.name)?.();
    }
  }
}
