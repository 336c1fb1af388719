/** Separators between digits, and the invisible characters that are copied along with a number. */
const SEPARATORS = /[\s().\-/\p{Pd}\p{Cf}]/gu;

/** E.164: a country code and at most fifteen digits in total. */
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

/** The number in E.164 form, as it is stored. Undefined without a country code. */
export function parsePhoneNumber(text: string): string | undefined {
  const normalized = text.replaceAll(SEPARATORS, '').replace(/^00/, '+');
  return PHONE_NUMBER.test(normalized) ? normalized : undefined;
}
