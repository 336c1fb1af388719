import { expect, it } from 'vitest';
import { eventText, isWarning } from './event-text.ts';

it.each([
  ['signed-in', 'Signed in', false],
  ['mfa-refused', 'Wrong authenticator code', true],
  ['moon-landing-refused', 'Moon landing refused', false],
])('the event %s reads "%s"', (kind, sentence, alarms) => {
  expect(eventText(kind)).toBe(sentence);
  expect(isWarning(kind)).toBe(alarms);
});
