import { createPrivateKey, sign } from 'node:crypto';
import type { Secret } from '../secrets/secret.ts';
import { ED25519, publicKeyBlob } from './key-pair.ts';
import { lengthPrefixed, takePrefixed, uint32 } from './wire.ts';

/** Message numbers of the SSH agent protocol (draft-miller-ssh-agent §5.1). */
const FAILURE = 5;
const REQUEST_IDENTITIES = 11;
const IDENTITIES = 12;
const SIGN_REQUEST = 13;
const SIGNATURE = 14;

/** Responds to messages of ssh: lists the key, and signs with it. All other requests fail. */
export function createAgentResponder(privateKey: Secret): (message: Buffer) => Buffer {
  const key = createPrivateKey(privateKey.reveal());
  const blob = publicKeyBlob(key);

  function signature(request: Buffer): Buffer | undefined {
    const requestedKey = takePrefixed(request);
    const content = requestedKey && takePrefixed(requestedKey.rest)?.content;
    if (content === undefined || !requestedKey?.content.equals(blob)) return undefined;
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
