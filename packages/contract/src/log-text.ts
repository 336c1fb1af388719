// Built from a string: the linter forbids control characters in regular expression literals.
const ESCAPE = '\\u001b';

/**
 * A terminal control sequence. The first group holds the parameters and the second the final character of a sequence that
 * sets colours or moves the cursor.
 */
export const ANSI_SEQUENCE = /* @__PURE__ */ new RegExp(
  `${ESCAPE}\\[([0-9;:?]*)([ -/]*[@-~])|${ESCAPE}\\][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)?|${ESCAPE}[@-Z\\\\-_]`,
  'g',
);

export function withoutAnsi(text: string): string {
  return text.includes('\u001b') ? text.replaceAll(ANSI_SEQUENCE, '') : text;
}

/**
 * Lower case of the same length, so that positions in the result are positions in the text. Each character is converted
 * alone: the lower case of Σ depends on the characters around it, which a part of the text does not have.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length && !text.includes('Σ')) return lower;
  return Array.from(text, (character) => {
    const folded = character.toLowerCase();
    return folded.length === character.length ? folded : character;
  }).join('');
}

/** Whether a log line contains the text, literally, ignoring case and colours. */
export function containsText(line: string, text: string): boolean {
  return foldCase(withoutAnsi(line)).includes(foldCase(text));
}
