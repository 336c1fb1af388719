/** Hides secrets in the text of one line. */
export type Mask = (text: string) => string;

const HIDDEN = '[secret]';
/** Shorter ones would hide ordinary words, and protect nothing. */
const MIN_LENGTH = 6;
const MIN_HALF_LENGTH = 3;
/** How a line ends that was too long. */
const CUT = /\s?…$/;

/**
 * Finds secrets as programs print them: as they are, inside JSON, and inside addresses. One of several lines is printed line
 * by line. A line that was cut off does not end in half of one either.
 */
export function createMask(secrets: Iterable<string>): Mask {
  const needles = [...new Set([...secrets].flatMap(printedForms))].sort(longestFirst);
  if (needles.length === 0) return (text) => text;
  const pattern = new RegExp(needles.map(escaped).join('|'), 'g');
  return (text) => {
    const masked = text.replace(pattern, HIDDEN);
    return masked.endsWith('…') ? withoutHalf(masked, needles) : masked;
  };
}

function printedForms(secret: string): string[] {
  const whole = secret.toWellFormed().trim();
  const lines = whole.split(/[\r\n]+/).map((line) => line.trim());
  return [whole, ...lines]
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)])
    .filter((text) => text.length >= MIN_LENGTH && !/[\r\n]/.test(text));
}

function longestFirst(one: string, other: string): number {
  return other.length - one.length;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function withoutHalf(text: string, needles: readonly string[]): string {
  const [mark = ''] = CUT.exec(text) ?? [];
  const told = text.slice(0, text.length - mark.length);
  const half = Math.max(...needles.map((needle) => commonLength(told, needle)));
  return half < MIN_HALF_LENGTH ? text : `${told.slice(0, told.length - half)}${HIDDEN}${mark}`;
}

/** How much of the beginning of a secret stands at the end of a text. */
function commonLength(text: string, needle: string): number {
  let length = Math.min(needle.length, text.length);
  while (length > 0 && !text.endsWith(needle.slice(0, length))) length -= 1;
  return length;
}
