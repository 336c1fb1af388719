import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { createAgentResponder } from './agent-protocol.ts';
import { generateKeyPair, publicKeyBlob } from './key-pair.ts';
import { lengthPrefixed, takePrefixed, uint32 } from './wire.ts';

const { publicKey, privateKey } = generateKeyPair();
const key = createPrivateKey(privateKey.reveal());
const blob = publicKeyBlob(key);
const respond = createAgentResponder(privateKey);
const FAILURE = Buffer.of(5);

function signRequest(keyBlob: Buffer, content: string): Buffer {
  return Buffer.concat([
    Buffer.of(13),
    lengthPrefixed(keyBlob),
    lengthPrefixed(content),
    uint32(0),
  ]);
}

it('lists the public key', () => {
  expect(publicKey).toBe(`ssh-ed25519 ${blob.toString('base64')}`);
  const response = respond(Buffer.of(11));
  expect(response[0]).toBe(12);
  expect(takePrefixed(response.subarray(5))?.content).toEqual(blob);
});

it('signs data with the key', () => {
  const signed = takePrefixed(respond(signRequest(blob, 'a session')).subarray(1));
  const kind = takePrefixed(signed?.content ?? Buffer.alloc(0));
  const signature = takePrefixed(kind?.rest ?? Buffer.alloc(0));
  expect(kind?.content.toString()).toBe('ssh-ed25519');
  const isValid = verify(
    null,
    Buffer.from('a session'),
    createPublicKey(key),
    signature?.content ?? Buffer.alloc(0),
  );
  expect(isValid).toBe(true);
});

it.each([
  ['a signature with another key', signRequest(Buffer.from('other'), 'a session')],
  ['an incomplete request', signRequest(blob, 'a session').subarray(0, 30)],
  ['adding a key', Buffer.of(17)],
  ['an extension', Buffer.of(27)],
  ['an empty message', Buffer.alloc(0)],
])('refuses %s', (_, message) => {
  expect(respond(message)).toEqual(FAILURE);
});
