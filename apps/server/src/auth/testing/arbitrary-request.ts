import fc from 'fast-check';

/** Every field an auth request may have; most of what they get here is wrong. */
const FIELDS = [
  'activeMfaType',
  'all',
  'allowedRoles',
  'code',
  'codeChallenge',
  'connect',
  'connection',
  'credential',
  'defaultRole',
  'displayName',
  'email',
  'error',
  'expiresAt',
  'idToken',
  'locale',
  'metadata',
  'newEmail',
  'newPassword',
  'nickname',
  'nonce',
  'options',
  'otp',
  'password',
  'personalAccessToken',
  'phoneNumber',
  'provider',
  'redirectTo',
  'refreshToken',
  'signInMethod',
  'state',
  'ticket',
  'token',
  'type',
];

const LIKELY = [
  '',
  '\0',
  '\ud800',
  '%00',
  "'; drop table auth.users; --",
  'a@example.com',
  'a@example.com\u0000',
  '+4915112345678',
  '123456',
  'totp',
  'email-password',
  'passwordless',
  'sms',
  'github',
  'mfaTotp:00000000-0000-4000-8000-000000000000',
  'passwordReset:\u202e',
  'verifyEmail:\ud800',
  'http://localhost:1337/somewhere',
  '2099-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '-000001-01-01T00:00:00Z',
  '__proto__',
];

export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...LIKELY),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.uuid(),
  fc.emailAddress(),
  fc.webUrl(),
  fc.integer({ min: 1_000, max: 20_000 }).map((length) => 'ü'.repeat(length)),
);

const { anyValue } = fc.letrec<{ anyValue: unknown }>((tie) => ({
  anyValue: fc.oneof(
    { maxDepth: 3 },
    { weight: 6, arbitrary: anyText },
    { weight: 2, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1e308, [], {}) },
    { weight: 1, arbitrary: fc.array(tie('anyValue'), { maxLength: 4 }) },
    { weight: 2, arbitrary: fc.dictionary(anyField(), tie('anyValue'), { maxKeys: 6 }) },
  ),
}));

const anyFields = fc.dictionary(anyField(), anyValue, { maxKeys: 8 });

/** Mostly a JSON object that looks a little like what is asked for. */
export const anyBody: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: anyFields.map((fields) => JSON.stringify(fields)) },
  { weight: 1, arbitrary: anyValue.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: anyText },
);

export const anyQuery: fc.Arbitrary<string> = fc
  .dictionary(anyField(), anyText, { maxKeys: 6 })
  .map((fields) => new URLSearchParams(fields).toString().slice(0, 4_000));

function anyField(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...FIELDS) },
    { weight: 1, arbitrary: fc.string({ maxLength: 10 }) },
  );
}
