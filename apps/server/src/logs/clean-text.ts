import type { Mask } from './mask.ts';

export const MAX_LINE_BYTES = 16 * 1024;
/** In UTF-8, a UTF-16 code unit takes at most three bytes. */
const MAX_BYTES_PER_UNIT = 3;
const ELLIPSIS = '…';

const UNSTORABLE = /[\0\r\n]/;

/** Makes the text of a line storable: without NUL and line breaks, masked and truncated. Colour codes stay. */
export function cleanText(text: string, mask: Mask): string {
  // Masked before it is truncated, so that no part of a secret remains at the end.
  return truncate(mask(oneLine(text.slice(0, MAX_LINE_BYTES * 2))));
}

function oneLine(text: string): string {
  if (!UNSTORABLE.test(text)) return text;
  return text
    .replaceAll('\0', '')
    .replace(/[\r\n]+$/, '')
    .replace(/\r\n|\r|\n/g, ' ');
}

function truncate(text: string): string {
  if (text.length * MAX_BYTES_PER_UNIT <= MAX_LINE_BYTES) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_LINE_BYTES) return text;
  const maxBytes = MAX_LINE_BYTES - Buffer.byteLength(ELLIPSIS);
  return `${bytes.toString('utf8', 0, characterBoundary(bytes, maxBytes))}${ELLIPSIS}`;
}

/** The last offset at or before `end` where a character starts. */
function characterBoundary(bytes: Buffer, end: number): number {
  let offset = end;
  while (offset > 0 && ((bytes[offset] ?? 0) & 0xc0) === 0x80) offset -= 1;
  return offset;
}
