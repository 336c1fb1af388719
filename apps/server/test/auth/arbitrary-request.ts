import fc from 'fast-check';

/** Every field an auth request may have; most of what they get here is wrong. */
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

/** Each field holds what it should, or anything; so that the others are read as well. */
const nearlyGood = fc.record(
  {
    email: sometimesWrong(fc.emailAddress()),
    password: sometimesWrong(fc.constant('correct horse')),
    phoneNumber: sometimesWrong(fc.constant('+4915112345678')),
    otp: sometimesWrong(fc.constant('123456')),
    ticket: sometimesWrong(fc.uuid().map((id) => `mfaTotp:${id}`)),
    code: sometimesWrong(fc.constant('123456')),
    codeVerifier: sometimesWrong(fc.constant('a'.repeat(43))),
    codeChallenge: sometimesWrong(fc.constant('a'.repeat(43))),
    activeMfaType: sometimesWrong(fc.constantFrom('totp', '')),
    newEmail: sometimesWrong(fc.emailAddress()),
    newPassword: sometimesWrong(fc.constant('correct horse')),
    refreshToken: sometimesWrong(fc.uuid()),
    personalAccessToken: sometimesWrong(fc.uuid()),
    expiresAt: sometimesWrong(fc.constant('2099-01-01T00:00:00Z')),
    metadata: sometimesWrong(fc.dictionary(anyText, anyValue, { maxKeys: 3 })),
    signInMethod: sometimesWrong(fc.constantFrom('email-password', 'passwordless')),
    provider: sometimesWrong(fc.constantFrom('google', 'github')),
    idToken: sometimesWrong(fc.constant('eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.')),
    options: sometimesWrong(
      fc.record(
        {
          displayName: sometimesWrong(fc.constant('Ada')),
          locale: sometimesWrong(fc.constant('de')),
          metadata: sometimesWrong(fc.dictionary(anyText, anyValue, { maxKeys: 3 })),
          allowedRoles: sometimesWrong(fc.constant(['user'])),
          defaultRole: sometimesWrong(fc.constant('user')),
          redirectTo: sometimesWrong(fc.constant('http://localhost:1337/somewhere')),
        },
        { requiredKeys: [] },
      ),
    ),
    credential: sometimesWrong(
      fc.record({
        id: sometimesWrong(fc.constant('AAAA')),
        rawId: sometimesWrong(fc.constant('AAAA')),
        type: sometimesWrong(fc.constant('public-key')),
        clientExtensionResults: sometimesWrong(fc.constant({})),
        response: sometimesWrong(
          fc.record({
            clientDataJSON: sometimesWrong(fc.constantFrom('e30', 'AAAA')),
            attestationObject: sometimesWrong(fc.constantFrom('oA', 'AAAA')),
            authenticatorData: sometimesWrong(fc.constant('AAAA')),
            signature: sometimesWrong(fc.constant('AAAA')),
            userHandle: sometimesWrong(fc.uuid()),
          }),
        ),
      }),
    ),
  },
  { requiredKeys: ['email', 'password', 'phoneNumber', 'credential'] },
);

/** Mostly a JSON object that looks a little like what is asked for. */
export const anyBody: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: nearlyGood.map((fields) => JSON.stringify(fields)) },
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

function sometimesWrong(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: anyValue });
}
