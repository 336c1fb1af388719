import { createPublicKey, type KeyObject, sign } from 'node:crypto';

const [INTEGER, BIT_STRING, OCTET_STRING, OID, SEQUENCE, SET] = [2, 3, 4, 6, 0x30, 0x31];
const DNS_NAME = 0x82;
const ATTRIBUTES = 0xa0;

/** The contents of the object identifiers. */
const EXTENSION_REQUEST = Buffer.from('2a864886f70d01090e', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('551d11', 'hex');
const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');

/**
 * A certificate signing request (RFC 2986) for one name, in DER. The subject is empty: authorities read the alternative
 * names only. `key`: an elliptic-curve key.
 */
export function certificateRequest(domain: string, key: KeyObject): Buffer {
  const names = der(SEQUENCE, der(DNS_NAME, Buffer.from(domain, 'ascii')));
  const extension = der(SEQUENCE, der(OID, SUBJECT_ALTERNATIVE_NAME), der(OCTET_STRING, names));
  const request = der(
    SEQUENCE,
    der(INTEGER, Buffer.of(0)),
    der(SEQUENCE),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(ATTRIBUTES, der(SEQUENCE, der(OID, EXTENSION_REQUEST), der(SET, der(SEQUENCE, extension)))),
  );
  const signature = Buffer.concat([Buffer.of(0), sign('sha256', request, key)]);
  return der(
    SEQUENCE,
    request,
    der(SEQUENCE, der(OID, ECDSA_WITH_SHA256)),
    der(BIT_STRING, signature),
  );
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), derLength(content.length), content]);
}

function derLength(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}
