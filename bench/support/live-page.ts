import { RESOURCES_SUBSCRIPTION, SERVICE_PATHS } from '@longshore/contract';
import { WebSocket } from 'ws';
import type { BenchUser } from './bench-user.ts';

/** One user's open page: one socket, several live queries. */
export type LivePage = {
  /** Resolves when a live query result contains the text. */
  waitForText(text: string): Promise<void>;
  stop(): void;
};

const TIMEOUT_MS = 30_000;

/** Different queries, so that none shares the execution of another. The first one returns all fields. */
export const LIVE_QUERIES = [
  RESOURCES_SUBSCRIPTION,
  'subscription { resources(limit: 10, order_by: {updated_at: desc}) { id status message } }',
  'subscription { resources(where: {chart_name: {_eq: "project"}}) { id values } }',
  'subscription { resources(where: {status: {_eq: "backoff"}}) { id message } }',
  'subscription { resources_aggregate { aggregate { count } } }',
];

/** Opens all live queries of a user. Resolves when each has its first result. */
export async function openLivePage(url: string, user: BenchUser): Promise<LivePage> {
  const address = `${url.replace(/^http/, 'ws')}${SERVICE_PATHS.graphql[0]}`;
  const socket = new WebSocket(address, 'graphql-transport-ws');
  let onMessage: (text: string) => void = () => {};
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  const waitForFrame = (matches: (text: string) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('No matching message arrived')), TIMEOUT_MS);
      onMessage = (text) => {
        if (!matches(text)) return;
        clearTimeout(timer);
        resolve();
      };
    });
  socket.on('message', (bytes) => onMessage(String(bytes)));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const headers = { Authorization: `Bearer ${user.accessToken}` };
  const acknowledged = waitForFrame((text) => text.includes('connection_ack'));
  send({ type: 'connection_init', payload: { headers } });
  await acknowledged;
  const subscribed = new Set<string>();
  const firstResults = waitForFrame((text) => {
    const { id, type } = JSON.parse(text) as { id?: string; type: string };
    if (type === 'error') throw new Error(text);
    if (id !== undefined) subscribed.add(id);
    return subscribed.size === LIVE_QUERIES.length;
  });
  for (const [at, query] of LIVE_QUERIES.entries()) {
    const variables = query === RESOURCES_SUBSCRIPTION ? { userId: user.id } : {};
    send({ id: String(at), type: 'subscribe', payload: { query, variables } });
  }
  await firstResults;
  return {
    waitForText: (text) => waitForFrame((frame) => frame.includes(text)),
    stop: () => socket.terminate(),
  };
}
