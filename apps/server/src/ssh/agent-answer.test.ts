import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { createAgentAnswer } from './agent-answer.ts';
import { makeKeyPair, publicKeyBlob } from './key-pair.ts';
import { lengthPrefixed, takePrefixed, uint32 } from './wire.ts';

const { publicKey, privateKey } = makeKeyPair();
const key = createPrivateKey(privateKey.reveal());
const blob = publicKeyBlob(key);
const answer = createAgentAnswer(privateKey);
const REFUSED = Buffer.of(5);

function signRequest(named: Buffer, content: string): Buffer {
  return Buffer.concat([Buffer.of(13), lengthPrefixed(named), lengthPrefixed(content), uint32(0)]);
}

it('names the one key as its public half does', () => {
  expect(publicKey).toBe(`ssh-ed25519 ${blob.toString('base64')}`);
  const told = answer(Buffer.of(11));
  expect(told[0]).toBe(12);
  expect(takePrefixed(told.subarray(5))?.content).toEqual(blob);
});

it('signs what it is asked to', () => {
  const signed = takePrefixed(answer(signRequest(blob, 'a session')).subarray(1));
  const kind = takePrefixed(signed?.content ?? Buffer.alloc(0));
  const signature = takePrefixed(kind?.rest ?? Buffer.alloc(0));
  expect(kind?.content.toString()).toBe('ssh-ed25519');
  const isGood = verify(
    null,
    Buffer.from('a session'),
    createPublicKey(key),
    signature?.content ?? Buffer.alloc(0),
  );
  expect(isGood).toBe(true);
});

it.each([
  ['a signature with another key', signRequest(Buffer.from('other'), 'a session')],
  ['half a request', signRequest(blob, 'a session').subarray(0, 30)],
  ['to keep a key', Buffer.of(17)],
  ['an extension', Buffer.of(27)],
  ['nothing', Buffer.alloc(0)],
])('refuses %s', (_, message) => {
  expect(answer(message)).toEqual(REFUSED);
});
