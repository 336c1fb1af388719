import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { anyQuery, anyText } from './arbitrary-request.ts';
import type { Endpoint } from './endpoints.ts';

/** A request that no endpoint accepts. */
export type InvalidRequest = {
  method: string;
  body: string | Uint8Array<ArrayBuffer> | undefined;
  contentType: string;
  query: string;
  parameter: string;
};

const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
];

/** Requests to an endpoint with an invalid body and otherwise arbitrary parts. */
export function invalidRequest(endpoint: Endpoint): fc.Arbitrary<InvalidRequest> {
  return fc.record({
    method: fc.constant(endpoint.method),
    body: endpoint.method === 'POST' ? invalidBody(endpoint) : fc.constant(undefined),
    contentType: fc.constantFrom(...CONTENT_TYPES),
    query: anyQuery,
    parameter: anyParameter,
  });
}

export const anyParameter = anyText.map(
  (text) => encodeURIComponent(text.toWellFormed()).slice(0, 1_000) || 'none',
);

function invalidBody({
  required = {},
  optional = {},
}: Endpoint): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const valid = { ...required, ...optional };
  const missing = Object.keys(required).map((name) => {
    const { [name]: _omitted, ...others } = valid as Record<string, unknown>;
    return fc.constantFrom(others, { ...others, [name]: null });
  });
  const wrong = Object.entries(valid).map(([name, value]) =>
    invalidValue(name, value).map((broken) => ({ ...valid, [name]: broken })),
  );
  const unreadable = fc.oneof(nonObject, notJson(JSON.stringify(valid)));
  const fields = [...missing, ...wrong].map((broken) =>
    fc.tuple(broken, fc.boolean()).map(([value, isPolluted]) => serialize(value, isPolluted)),
  );
  return fc.oneof({ weight: 1, arbitrary: unreadable }, ...fields.map(weighted));
}

const weighted = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 2, arbitrary });

/** Polluted: with fields that could change the prototype of all objects. */
function serialize(value: object, isPolluted: boolean): string {
  const text = JSON.stringify(value);
  return isPolluted
    ? `{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},${text.slice(1)}`
    : text;
}

const nonObject = fc
  .oneof(
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, [], [[]], '', 'text', [{}]),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 5 }),
  )
  .map((value) => JSON.stringify(value));

function notJson(valid: string): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  return fc.oneof(
    fc.nat({ max: valid.length - 2 }).map((length) => `${valid.slice(0, length)}{`),
    fc.constantFrom(
      `${valid}}`,
      `${valid}${valid}`,
      valid.replaceAll('"', "'"),
      `${valid} // comment`,
      '{"email":"a@example.com\\u0000"}',
      '{"email":NaN}',
      '{"email":undefined}',
      '{,}',
      'email=a%40example.com&password=correct+horse',
      '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\na@example.com\r\n--x--',
    ),
    fc.constantFrom(
      bytes(gzipSync(valid)),
      bytes(Buffer.from(`x${valid}`, 'utf16le')),
      bytes(Buffer.from([0xff, 0xfe, 0xfd])),
    ),
    fc.uint8Array({ maxLength: 60 }).map((random) => bytes([0xff, ...random])),
  );
}

function bytes(values: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(values);
}

/** A value that a field does not accept. Never null, because optional fields accept it. */
function invalidValue(name: string, valid: unknown): fc.Arbitrary<unknown> {
  const invalid = INVALID_VALUES[name];
  const otherType = fc.constantFrom<unknown>(
    ...[0, -1, 1e308, 7.5, [], [[]], [null], [valid]],
    ...(typeof valid === 'boolean' ? ['true', 'false', {}] : [true, false]),
    ...(typeof valid === 'string' ? [{}, { toString: 'x' }, { $ne: null }, { [name]: valid }] : []),
    ...(typeof valid === 'object' ? ['', 'text', 'ü'.repeat(20_000)] : []),
  );
  const inner =
    typeof valid === 'object' && valid !== null && !Array.isArray(valid)
      ? Object.entries(valid)
          .filter(([field]) => field !== 'a')
          .map(([field, value]) =>
            invalidValue(field, value).map((broken) => ({ ...valid, [field]: broken })),
          )
      : [];
  return fc.oneof(
    otherType,
    ...inner,
    ...(invalid === undefined ? [] : [fc.constantFrom(...invalid)]),
  );
}

const INVALID_EMAILS = [
  '',
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  'ada@example.com, eve@example.com',
  'ada@example.com\r\nBcc: eve@example.com',
  '"ada"@example.com',
  'Ada <ada@example.com>',
  'ada\u202e@example.com',
  'ada@exämple.com',
  '\ud800@example.com',
  `${'a'.repeat(20_000)}@example.com`,
];

/** Invalid values of the right type. */
const INVALID_VALUES: Record<string, readonly unknown[]> = {
  email: INVALID_EMAILS,
  newEmail: INVALID_EMAILS,
  password: ['ü'.repeat(257), 'x'.repeat(900_000)],
  newPassword: ['', 'ab', 'ü'.repeat(257)],
  codeChallenge: ['', 'short', 'ü'.repeat(43), 'a'.repeat(44)],
  codeVerifier: ['', 'short', 'ü'.repeat(43), 'a'.repeat(129)],
  setupCode: ['x'.repeat(65)],
  displayName: ['', 'x'.repeat(33), '<b>"', 'a\nb', 'http://evil.example'],
  locale: ['', 'x', 'long', '\ud800'],
  metadata: [{ a: '\ud800' }, { '\ud800': 1 }, nested(30)],
  allowedRoles: [['admin'], ['user', 'admin'], [null], [['user']], []],
  defaultRole: ['admin', '', 'User', '__proto__'],
  redirectTo: [
    'https://evil.example',
    'http://localhost:1337@evil.example',
    'http://localhost:1337.evil.example',
    'http://user@localhost:1337',
    'http:\\\\evil.example',
    '//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/relative',
    'http://localhost:13370',
    'https://localhost:1337',
    'not an address',
  ],
  expiresAt: ['', 'tomorrow', '2001-01-01T00:00:00Z', '2099-13-01T00:00:00Z', '2099-01-01'],
  provider: ['', 'github', 'evil', '__proto__', 'Google'],
  idToken: ['x'.repeat(20_001)],
  activeMfaType: ['sms', 'TOTP', '__proto__'],
  signInMethod: ['', 'magic', 'Email-password'],
  nickname: ['x'.repeat(256)],
  type: ['', 'Public-Key'],
  id: ['', 'not base64!', 'A'.repeat(2_000)],
  rawId: ['', 'not base64!', 'A'.repeat(2_000)],
  clientDataJSON: ['', 'not base64!'],
  attestationObject: ['', 'not base64!'],
  authenticatorData: ['', 'not base64!'],
  signature: ['', 'not base64!'],
};

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}
