const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** The first line of what somebody else wrote, as one can show it: nothing hidden in it, and not longer than this. */
export function plainLine(text: string, maxLength: number): string {
  const [first = ''] = text.trimStart().split(/[\r\n\u2028\u2029]/, 1);
  const characters = [...first.replace(HIDDEN, ' ').replace(/\s+/g, ' ').trim()];
  if (characters.length <= maxLength) return characters.join('');
  const shortened = characters.slice(0, maxLength - 1).join('');
  return `${shortened.trimEnd()}…`;
}
