import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { anyQuery, anyText } from './arbitrary-request.ts';
import type { Endpoint } from './endpoints.ts';

/** A request that nobody could mean, and why. */
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

/** Requests to an endpoint whose body is not what it takes, whatever else is right about them. */
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
  const good = { ...required, ...optional };
  const missing = Object.keys(required).map((name) => {
    const { [name]: _left, ...others } = good as Record<string, unknown>;
    return fc.constantFrom(others, { ...others, [name]: null });
  });
  const wrong = Object.entries(good).map(([name, value]) =>
    wrongValue(name, value).map((broken) => ({ ...good, [name]: broken })),
  );
  const unreadable = fc.oneof(noObject, notJson(JSON.stringify(good)));
  const fields = [...missing, ...wrong].map((broken) =>
    fc.tuple(broken, fc.boolean()).map(([value, isPolluted]) => written(value, isPolluted)),
  );
  return fc.oneof({ weight: 1, arbitrary: unreadable }, ...fields.map(often));
}

const often = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 2, arbitrary });

/** Fields that no endpoint has, and some that every object has. */
function written(value: object, isPolluted: boolean): string {
  const text = JSON.stringify(value);
  return isPolluted
    ? `{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},${text.slice(1)}`
    : text;
}

const noObject = fc
  .oneof(
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, [], [[]], '', 'text', [{}]),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 5 }),
  )
  .map((value) => JSON.stringify(value));

function notJson(good: string): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  return fc.oneof(
    fc.nat({ max: good.length - 2 }).map((length) => `${good.slice(0, length)}{`),
    fc.constantFrom(
      `${good}}`,
      `${good}${good}`,
      good.replaceAll('"', "'"),
      `${good} // why not`,
      '{"email":"a@example.com\\u0000"}',
      '{"email":NaN}',
      '{"email":undefined}',
      '{,}',
      'email=a%40example.com&password=correct+horse',
      '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\na@example.com\r\n--x--',
    ),
    fc.constantFrom(
      bytes(gzipSync(good)),
      bytes(Buffer.from(`x${good}`, 'utf16le')),
      bytes(Buffer.from([0xff, 0xfe, 0xfd])),
    ),
    fc.uint8Array({ maxLength: 60 }).map((random) => bytes([0xff, ...random])),
  );
}

function bytes(values: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(values);
}

/** Something else than what a field takes; never nothing, which optional fields take. */
function wrongValue(name: string, good: unknown): fc.Arbitrary<unknown> {
  const known = WRONG[name];
  const otherType = fc.constantFrom<unknown>(
    ...[0, -1, 1e308, 7.5, [], [[]], [null], [good]],
    ...(typeof good === 'boolean' ? ['true', 'false', {}] : [true, false]),
    ...(typeof good === 'string' ? [{}, { toString: 'x' }, { $ne: null }, { [name]: good }] : []),
    ...(typeof good === 'object' ? ['', 'text', 'ü'.repeat(20_000)] : []),
  );
  const inner =
    typeof good === 'object' && good !== null && !Array.isArray(good)
      ? Object.entries(good)
          .filter(([field]) => field !== 'a')
          .map(([field, value]) =>
            wrongValue(field, value).map((broken) => ({ ...good, [field]: broken })),
          )
      : [];
  return fc.oneof(otherType, ...inner, ...(known === undefined ? [] : [fc.constantFrom(...known)]));
}

const ADDRESSES = [
  '',
  'ada',
  'ada@',
  '@example.com',
  'ada@localhost',
  'ada@example.com, eve@example.com',
  'ada@example.com\r\nBcc: eve@example.com',
  '"ada"@example.com',
  'Ada <ada@example.com>',
  'ada\u202e@example.com',
  'ada@exämple.com',
  '\ud800@example.com',
  `${'a'.repeat(20_000)}@example.com`,
];

/** Of the right type, and wrong. */
const WRONG: Record<string, readonly unknown[]> = {
  email: ADDRESSES,
  newEmail: ADDRESSES,
  password: ['ü'.repeat(257), 'x'.repeat(900_000)],
  newPassword: ['', 'ab', 'ü'.repeat(257)],
  codeChallenge: ['', 'short', 'ü'.repeat(43), 'a'.repeat(44)],
  codeVerifier: ['', 'short', 'ü'.repeat(43), 'a'.repeat(129)],
  setupCode: ['x'.repeat(65)],
  displayName: ['', 'x'.repeat(33), '<b>"', 'a\nb', 'http://evil.example'],
  locale: ['', 'x', 'long', '\ud800'],
  metadata: [{ a: '\ud800' }, { '\ud800': 1 }, deep(30)],
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

function deep(levels: number): unknown {
  return levels === 0 ? 1 : { a: deep(levels - 1) };
}
