/** How well a text matches the typed words; undefined if one of them does not match. */
export function matchScore(text: string, typed: string): number | undefined {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  let total = 0;
  for (const word of words) {
    const score = wordScore(text.toLowerCase(), word);
    if (score === undefined) return undefined;
    total += score;
  }
  return total;
}

/** Best at the start of the text, then at the start of a word, then anywhere, then as scattered letters. */
function wordScore(text: string, word: string): number | undefined {
  const at = text.indexOf(word);
  if (at === 0) return 4;
  if (at > 0) return /[\s\-_./]/.test(text.charAt(at - 1)) ? 3 : 2;
  return isScattered(text, word) ? 1 : undefined;
}

function isScattered(text: string, word: string): boolean {
  let from = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at === -1) return false;
    from = at + 1;
  }
  return true;
}
