import { Secret } from '../../secrets/secret.ts';

/** None is taken for another. There are 32, so each is worth five bits, and a random byte chooses fairly. */
const SYMBOLS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 12;

/** Sixty random bits, as XXXX-XXXX-XXXX. */
export function generateSetupCode(randomBytes: (count: number) => Uint8Array): Secret {
  const symbols = Array.from(randomBytes(LENGTH), (byte) => SYMBOLS.charAt(byte % SYMBOLS.length));
  return new Secret(symbols.join('').replaceAll(/.{4}(?=.)/g, '$&-'));
}

/** As people type it: in any case, with or without the dashes. */
export function matchesSetupCode(code: Secret, given: Secret): boolean {
  return new Secret(symbolsOf(code)).equals(symbolsOf(given));
}

function symbolsOf(code: Secret): string {
  return code.reveal().replaceAll(/[\s-]/g, '').toUpperCase();
}
