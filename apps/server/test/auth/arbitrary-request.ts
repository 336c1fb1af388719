import fc from 'fast-check';

/** Every field of the auth requests. */
const FIELDS = [
  'activeMfaType',
  'all',
  'allowedRoles',
  'code',
  'codeChallenge',
  'codeVerifier',
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
  'setupCode',
  'signInMethod',
  'state',
  'ticket',
  'token',
  'type',
];

const LIKELY_VALUES = [
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
  fc.constantFrom(...LIKELY_VALUES),
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

/** Mostly valid fields, so that the validation reaches all of them. */
const mostlyValid = fc.record(
  {
    email: sometimesInvalid(fc.emailAddress()),
    password: sometimesInvalid(fc.constant('correct horse')),
    phoneNumber: sometimesInvalid(fc.constant('+4915112345678')),
    otp: sometimesInvalid(fc.constant('123456')),
    ticket: sometimesInvalid(fc.uuid().map((id) => `mfaTotp:${id}`)),
    code: sometimesInvalid(fc.constant('123456')),
    codeVerifier: sometimesInvalid(fc.constant('a'.repeat(43))),
    codeChallenge: sometimesInvalid(fc.constant('a'.repeat(43))),
    activeMfaType: sometimesInvalid(fc.constantFrom('totp', '')),
    newEmail: sometimesInvalid(fc.emailAddress()),
    newPassword: sometimesInvalid(fc.constant('correct horse')),
    refreshToken: sometimesInvalid(fc.uuid()),
    personalAccessToken: sometimesInvalid(fc.uuid()),
    expiresAt: sometimesInvalid(fc.constant('2099-01-01T00:00:00Z')),
    metadata: sometimesInvalid(fc.dictionary(anyText, anyValue, { maxKeys: 3 })),
    signInMethod: sometimesInvalid(fc.constantFrom('email-password', 'passwordless')),
    provider: sometimesInvalid(fc.constantFrom('google', 'github')),
    idToken: sometimesInvalid(fc.constant('eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.')),
    options: sometimesInvalid(
      fc.record(
        {
          displayName: sometimesInvalid(fc.constant('Ada')),
          locale: sometimesInvalid(fc.constant('de')),
          metadata: sometimesInvalid(fc.dictionary(anyText, anyValue, { maxKeys: 3 })),
          allowedRoles: sometimesInvalid(fc.constant(['user'])),
          defaultRole: sometimesInvalid(fc.constant('user')),
          redirectTo: sometimesInvalid(fc.constant('http://localhost:1337/somewhere')),
        },
        { requiredKeys: [] },
      ),
    ),
    credential: sometimesInvalid(
      fc.record({
        id: sometimesInvalid(fc.constant('AAAA')),
        rawId: sometimesInvalid(fc.constant('AAAA')),
        type: sometimesInvalid(fc.constant('public-key')),
        clientExtensionResults: sometimesInvalid(fc.constant({})),
        response: sometimesInvalid(
          fc.record({
            clientDataJSON: sometimesInvalid(fc.constantFrom('e30', 'AAAA')),
            attestationObject: sometimesInvalid(fc.constantFrom('oA', 'AAAA')),
            authenticatorData: sometimesInvalid(fc.constant('AAAA')),
            signature: sometimesInvalid(fc.constant('AAAA')),
            userHandle: sometimesInvalid(fc.uuid()),
          }),
        ),
      }),
    ),
  },
  { requiredKeys: ['email', 'password', 'phoneNumber', 'credential'] },
);

/** Mostly a JSON object with fields of the auth requests. */
export const anyBody: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: mostlyValid.map((fields) => JSON.stringify(fields)) },
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

function sometimesInvalid(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: valid }, { weight: 1, arbitrary: anyValue });
}
