import { RESOURCES_SUBSCRIPTION, SERVICE_PATHS } from '@longshore/contract';
import { WebSocket } from 'ws';
import type { Person } from './person.ts';

/** One person's open page: one socket, several live queries. */
export type Watcher = {
  /** Resolves when a live query shows the text. */
  shows(text: string): Promise<void>;
  stop(): void;
};

const TIMEOUT_MS = 30_000;

/** Different questions, so that none shares the execution of another. The first one shows all. */
export const LIVE_QUERIES = [
  RESOURCES_SUBSCRIPTION,
  'subscription { resources(limit: 10, order_by: {updated_at: desc}) { id status message } }',
  'subscription { resources(where: {chart_name: {_eq: "project"}}) { id values } }',
  'subscription { resources(where: {status: {_eq: "backoff"}}) { id message } }',
  'subscription { resources_aggregate { aggregate { count } } }',
];

/** Opens all live queries of a person, and resolves when each has its first answer. */
export async function openWatcher(url: string, person: Person): Promise<Watcher> {
  const address = `${url.replace(/^http/, 'ws')}${SERVICE_PATHS.graphql[0]}`;
  const socket = new WebSocket(address, 'graphql-transport-ws');
  let heard: (text: string) => void = () => {};
  const say = (frame: object) => socket.send(JSON.stringify(frame));
  const hear = (isIt: (text: string) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('It was not heard')), TIMEOUT_MS);
      heard = (text) => {
        if (!isIt(text)) return;
        clearTimeout(timer);
        resolve();
      };
    });
  socket.on('message', (bytes) => heard(String(bytes)));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const headers = { Authorization: `Bearer ${person.accessToken}` };
  const acknowledged = hear((text) => text.includes('connection_ack'));
  say({ type: 'connection_init', payload: { headers } });
  await acknowledged;
  const answered = new Set<string>();
  const allAnswered = hear((text) => {
    const { id, type } = JSON.parse(text) as { id?: string; type: string };
    if (type === 'error') throw new Error(text);
    if (id !== undefined) answered.add(id);
    return answered.size === LIVE_QUERIES.length;
  });
  for (const [at, query] of LIVE_QUERIES.entries()) {
    const variables = query === RESOURCES_SUBSCRIPTION ? { userId: person.id } : {};
    say({ id: String(at), type: 'subscribe', payload: { query, variables } });
  }
  await allAnswered;
  return { shows: (text) => hear((frame) => frame.includes(text)), stop: () => socket.terminate() };
}
