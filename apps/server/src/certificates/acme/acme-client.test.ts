import { createPrivateKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { newPrivateKey } from '../private-keys.ts';
import { createAcmeClient } from './acme-client.ts';
import type { AcmeSend } from './signed-requests.ts';

const CA = 'https://ca.example';
const order = {
  status: 'pending',
  authorizations: [],
  finalize: `${CA}/finalize`,
};

it('registers for an order although the order that began the registration was ended', async () => {
  const isAsked = Promise.withResolvers<void>();
  let registrations = 0;
  const send: AcmeSend = async ({ url, method }, signal) => {
    const headers = { 'replay-nonce': `nonce ${registrations}`, location: `${CA}/1` };
    if (method === 'HEAD') return new Response(null, { headers });
    if (url.pathname === '/account' && ++registrations === 1) {
      isAsked.resolve();
      return await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    }
    const directory = { newNonce: `${CA}/nonce`, newAccount: `${CA}/account`, newOrder: `${CA}/o` };
    return Response.json(url.pathname === '/' ? directory : order, { headers });
  };
  const key = createPrivateKey(newPrivateKey().reveal());
  const client = createAcmeClient({
    settings: { directory: `${CA}/`, email: 'ops@example.com', binding: undefined },
    accountKey: async () => key,
    send,
    now: Date.now,
  });
  const removed = new AbortController();
  const [first, second] = [removed.signal, new AbortController().signal].map((signal) =>
    client.newOrder('shop.example.com', signal),
  );
  const ended = expect(first).rejects.toThrow('removed');
  await isAsked.promise;
  removed.abort(new Error('removed'));
  await ended;
  expect(await second).toMatchObject({ url: `${CA}/1`, status: 'pending' });
  expect(registrations).toBe(2);
});
