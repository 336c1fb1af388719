/** What people write between digits, with the invisible marks that come along when a number is copied. */
const SEPARATORS = /[\s().\-/\p{Pd}\p{Cf}]/gu;

/** E.164: a country code and at most fifteen digits in all. */
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

/** A number in the form it is stored in; nothing for what cannot be dialled from everywhere. */
export function parsePhoneNumber(text: string): string | undefined {
  const dialled = text.replaceAll(SEPARATORS, '').replace(/^00/, '+');
  return PHONE_NUMBER.test(dialled) ? dialled : undefined;
}
