import { Secret } from '../../secrets/secret.ts';

/** 32 symbols without look-alikes: each holds five bits, and `byte % 32` is unbiased. */
const SYMBOLS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 12;

/** Sixty random bits, as XXXX-XXXX-XXXX. */
export function generateSetupCode(randomBytes: (count: number) => Uint8Array): Secret {
  const symbols = Array.from(randomBytes(LENGTH), (byte) => SYMBOLS.charAt(byte % SYMBOLS.length));
  return new Secret(symbols.join('').replaceAll(/.{4}(?=.)/g, '$&-'));
}

/** Ignores case, spaces and dashes of the entered code. */
export function matchesSetupCode(code: Secret, entered: Secret): boolean {
  return new Secret(normalize(code)).equals(normalize(entered));
}

function normalize(code: Secret): string {
  return code.reveal().replaceAll(/[\s-]/g, '').toUpperCase();
}
