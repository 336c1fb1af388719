import { createConnection } from 'node:net';
import type { ListenerInfo } from '@longshore/edge-contract';
import { expect, it } from 'vitest';
import { bindListeners } from './bind-listeners.ts';

const http: ListenerInfo = { protocol: 'http', host: '127.0.0.1', port: 0 };
const https: ListenerInfo = { protocol: 'https', host: '127.0.0.1', port: 0 };

it('binds without returning to the event loop, which would accept connections', async () => {
  let hasReturned = false;
  const immediate = setImmediate(() => {
    hasReturned = true;
  });
  const { descriptors, close } = await bindListeners([http, https], 3);
  close();
  expect(hasReturned).toBe(false);
  expect(descriptors).toHaveLength(6);
  clearImmediate(immediate);
});

it('listens on one port per listener', async () => {
  const { listeners, close } = await bindListeners([http, https], 2);
  for (const { port } of listeners) {
    await new Promise((resolve, reject) => {
      createConnection({ port }).once('connect', resolve).once('error', reject);
    });
  }
  close();
  expect(new Set(listeners.map(({ port }) => port)).size).toBe(2);
});

it('refuses a port that another socket with the option reusePort has', async () => {
  const first = await bindListeners([http], 1);
  await expect(bindListeners(first.listeners, 1)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const beside = await bindListeners(first.listeners, 1, () => true);
  beside.close();
  first.close();
});
