import { createHmac, hash } from 'node:crypto';
import type { Secret } from '../../secrets/secret.ts';

export function hashOfToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The same token has the same successor, always. The public clients expect the form of a version 4 UUID. */
export function successorOf(token: string, key: Secret): string {
  const bytes = createHmac('sha256', key.reveal()).update(token).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20].reduceRight((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, hex);
}
