import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * 16 MiB for a fifth of a second, as OWASP recommends where memory is scarce: an edge worker has little of it. The numbers
 * are part of each hash, so that they can grow.
 */
const COST = { logN: 14, r: 8, p: 5 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Bounds what a hash may demand. */
const HASH = /^\$scrypt\$ln=(1[0-7]),r=(8),p=([1-9])\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/** The hash of a password, with a new salt. Does not block the event loop. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  const { logN, r, p } = COST;
  return `$scrypt$ln=${logN},r=${r},p=${p}$${unpadded(salt)}$${unpadded(key)}`;
}

/** False also for a text that is no hash. Does not block the event loop. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, logN, r, p, salt, expected] = HASH.exec(hash) ?? [];
  if (salt === undefined || expected === undefined) return false;
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const key = await derive(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(key, Buffer.from(expected, 'base64'));
}

function derive(password: string, salt: Buffer, { logN, r, p }: typeof COST): Promise<Buffer> {
  const N = 2 ** logN;
  const options: ScryptOptions = { N, r, p, maxmem: 2 * 128 * r * (N + p) };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
