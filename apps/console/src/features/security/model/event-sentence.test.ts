import { expect, it } from 'vitest';
import { eventSentence, isAlarming } from './event-sentence.ts';

it.each([
  ['signed-in', 'Signed in', false],
  ['mfa-refused', 'Wrong code of the authenticator app', true],
  ['moon-landing-refused', 'Moon landing refused', false],
])('the event %s reads "%s"', (kind, sentence, alarms) => {
  expect(eventSentence(kind)).toBe(sentence);
  expect(isAlarming(kind)).toBe(alarms);
});
