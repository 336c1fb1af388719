import { expect, it } from 'vitest';
import { eventText, isWarning } from './event-text.ts';

it.each([
  ['signed-in', 'Signed in', false],
  ['mfa-refused', 'Wrong authenticator code', true],
  ['moon-landing-refused', 'Moon landing refused', false],
])('the event %s is shown as "%s", as a warning: %s', (kind, text, isShownAsWarning) => {
  expect(eventText(kind)).toBe(text);
  expect(isWarning(kind)).toBe(isShownAsWarning);
});
