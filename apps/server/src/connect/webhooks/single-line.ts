const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** The first line of untrusted text for display: without invisible characters, and truncated to `maxLength`. */
export function singleLine(text: string, maxLength: number): string {
  const [first = ''] = text.trimStart().split(/[\r\n\u2028\u2029]/, 1);
  const characters = [...first.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim()];
  if (characters.length <= maxLength) return characters.join('');
  const shortened = characters.slice(0, maxLength - 1).join('');
  return `${shortened.trimEnd()}…`;
}
