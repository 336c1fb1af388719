import { hasHiddenCharacters } from './characters.ts';

const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.[a-z]{2,}$/i;
const EMAIL_MAX_LENGTH = 254;

export function isEmail(email: unknown): email is string {
  return (
    typeof email === 'string' &&
    email.length <= EMAIL_MAX_LENGTH &&
    EMAIL.test(email) &&
    !hasHiddenCharacters(email)
  );
}
