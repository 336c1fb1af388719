import { expect, it } from 'vitest';
import { eventText, isWarning } from './event-text.ts';

it.each([
  ['signed-in', {}, 'Signed in', false],
  ['signed-in', { by: 'code' }, 'Signed in', false],
  ['signed-in-with-recovery-code', { left: '7' }, 'Signed in with a recovery code, 7 left', false],
  [
    'mfa-deactivated',
    { by: 'recovery-code' },
    'Authenticator app turned off with a recovery code',
    false,
  ],
  ['mfa-refused', {}, 'Wrong authenticator or recovery code', true],
  ['moon-landing-refused', {}, 'Moon landing refused', false],
])('the event %s with %j is shown as "%s", as a warning: %s', (kind, details, text, warns) => {
  expect(eventText({ kind, details })).toBe(text);
  expect(isWarning(kind)).toBe(warns);
});
