import { hasHiddenCharacters } from './characters.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Letters, or a top-level domain of another script in Punycode. */
const TOP_LEVEL_DOMAIN = `(?:[a-z]{2,63}|xn--${LABEL})`;
const EMAIL = new RegExp(
  `^[^\\s@"(),:;<>[\\]\\\\]+@(?:localhost|(?:${LABEL}\\.)+${TOP_LEVEL_DOMAIN})$`,
  'i',
);
const EMAIL_MAX_LENGTH = 254;

export function isEmail(email: unknown): email is string {
  return (
    typeof email === 'string' &&
    email.length <= EMAIL_MAX_LENGTH &&
    EMAIL.test(email) &&
    !hasHiddenCharacters(email)
  );
}
