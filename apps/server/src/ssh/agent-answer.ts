import { createPrivateKey, sign } from 'node:crypto';
import type { Secret } from '../secrets/secret.ts';
import { ED25519, publicKeyBlob } from './key-pair.ts';
import { lengthPrefixed, takePrefixed, uint32 } from './wire.ts';

/** Numbers of the agent's protocol. RFC draft-miller-ssh-agent §5.1. */
const FAILURE = 5;
const REQUEST_IDENTITIES = 11;
const IDENTITIES = 12;
const SIGN_REQUEST = 13;
const SIGNATURE = 14;

/** Answers one message of ssh: which key there is, and signatures with it. Everything else is refused. */
export function createAgentAnswer(privateKey: Secret): (message: Buffer) => Buffer {
  const key = createPrivateKey(privateKey.reveal());
  const blob = publicKeyBlob(key);

  function signature(request: Buffer): Buffer | undefined {
    const named = takePrefixed(request);
    const content = named && takePrefixed(named.rest)?.content;
    if (content === undefined || !named?.content.equals(blob)) return undefined;
    return Buffer.concat([lengthPrefixed(ED25519), lengthPrefixed(sign(null, content, key))]);
  }

  return (message) => {
    if (message[0] === REQUEST_IDENTITIES) {
      return Buffer.concat([byte(IDENTITIES), uint32(1), lengthPrefixed(blob), lengthPrefixed('')]);
    }
    const signed = message[0] === SIGN_REQUEST ? signature(message.subarray(1)) : undefined;
    return signed === undefined
      ? byte(FAILURE)
      : Buffer.concat([byte(SIGNATURE), lengthPrefixed(signed)]);
  };
}

function byte(value: number): Buffer {
  return Buffer.of(value);
}
