import type { Mask } from './mask.ts';

export const MAX_LINE_BYTES = 16 * 1024;
/** No character takes more than three bytes per unit of a string's length. */
const MAX_BYTES_PER_UNIT = 3;
const ELLIPSIS = '…';

const UNSTORABLE = /[\0\r\n]/;

/** One line as it may be stored: no NUL, no line break, masked, and not too long. Colour codes stay. */
export function cleanText(text: string, mask: Mask): string {
  // Masked before it is cut, so that no half of a secret remains at the cut.
  return cap(mask(oneLine(text.slice(0, MAX_LINE_BYTES * 2))));
}

function oneLine(text: string): string {
  if (!UNSTORABLE.test(text)) return text;
  return text
    .replaceAll('\0', '')
    .replace(/[\r\n]+$/, '')
    .replace(/\r\n|\r|\n/g, ' ');
}

function cap(text: string): string {
  if (text.length * MAX_BYTES_PER_UNIT <= MAX_LINE_BYTES) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_LINE_BYTES) return text;
  const room = MAX_LINE_BYTES - Buffer.byteLength(ELLIPSIS);
  return `${bytes.toString('utf8', 0, wholeCharacters(bytes, room))}${ELLIPSIS}`;
}

/** The last place at or before `end` where a character starts. */
function wholeCharacters(bytes: Buffer, end: number): number {
  let cut = end;
  while (cut > 0 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  return cut;
}
