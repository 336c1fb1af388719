import { Secret } from './secret.ts';

/** 32 symbols without look-alikes: each holds five bits, and `byte % 32` is unbiased. */
const SYMBOLS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 12;
const NORMALIZED = new RegExp(`^[${SYMBOLS}]{${LENGTH}}$`);

/** Sixty random bits, as XXXX-XXXX-XXXX. */
export function generateReadableCode(randomBytes: (count: number) => Uint8Array): Secret {
  const symbols = Array.from(randomBytes(LENGTH), (byte) => SYMBOLS.charAt(byte % SYMBOLS.length));
  return new Secret(symbols.join('').replaceAll(/.{4}(?=.)/g, '$&-'));
}

/** The symbols of an entered code, whatever its case, spaces and dashes. Undefined if it cannot be a code. */
export function normalizeReadableCode(entered: Secret): string | undefined {
  const symbols = entered
    .reveal()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
  return NORMALIZED.test(symbols) ? symbols : undefined;
}

export function matchesReadableCode(code: Secret, entered: Secret): boolean {
  const symbols = normalizeReadableCode(entered);
  return symbols !== undefined && new Secret(symbols).equals(normalizeReadableCode(code) ?? '');
}
