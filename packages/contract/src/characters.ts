const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}]/u;

/** Control characters, invisible and bidirectional formatting characters, unpaired surrogates: never part of an address. */
export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text);
}

/** False for null characters and unpaired surrogates, on which a Postgres statement fails. Checks nested values too. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).flat().every(isStorable);
}
