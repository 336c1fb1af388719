const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}]/u;

/** Control, invisible and text-turning characters, and halves of a character: nobody types them into an address. */
export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text);
}
