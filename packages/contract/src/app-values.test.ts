import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AppValues, isHibernated, parseAppValues } from './app-values.ts';
import { DEFAULT_TIERS } from './tier.ts';

const GIB = 1024 ** 3;
const tiers = { tiers: DEFAULT_TIERS, machine: { cpus: 4, memoryBytes: 8 * GIB } };
const RULES = { allowLocalSources: false, tiers };
const PORT_RANGE = 'Port must be a number between 1 and 65535';
const ENV_KEY = 'Must start with a letter and contain only alphanumeric characters and underscores';

const app: AppValues = {
  name: 'shop',
  projectId: '8d7c2f10-2b1a-4d0e-8a55-5c0f4f1f9e21',
  resourceTier: 't1',
  ports: [
    { number: 80, expose: true },
    { number: 9090, expose: false },
  ],
  publicAccess: { enabled: true, domain: 'auto', baseDomain: 'localhost' },
  container: { image: 'nginx:latest', updatePolicy: 'Always', pullSecretName: '' },
  source: { enabled: true, url: 'https://github.com/acme/shop', ref: 'main', secretName: '' },
  env: { GREETING: 'Hello\nworld', EMPTY: '' },
  instances: 1,
};
const fromImage = { ...app, source: { enabled: false, url: '', ref: '', secretName: '' } };

describe('parseAppValues accepts', () => {
  it.each([
    ['an app from a repository', app],
    ['an app from an image', fromImage],
    ['a hibernated app', { ...app, instances: 0 }],
    ['an app that sleeps when idle', { ...app, sleep: { afterMinutes: 10 } }],
    [
      'a custom domain',
      { ...app, publicAccess: { ...app.publicAccess, domain: 'shop.example.com' } },
    ],
    [
      'several custom domains',
      { ...app, publicAccess: { ...app.publicAccess, domains: ['a.example.com', 'example.com'] } },
    ],
  ])('%s unchanged', (_what, values) => {
    expect(parseAppValues(values, RULES)).toEqual({ ok: true, value: values });
  });

  it('the required fields only, and fills in the defaults', () => {
    const { name, projectId } = app;
    const required = { name, projectId, ports: [{ number: 80 }], container: { image: 'nginx' } };
    expect(parseAppValues(required, RULES)).toEqual({
      ok: true,
      value: {
        name,
        projectId,
        resourceTier: 't1',
        ports: [{ number: 80, expose: false }],
        publicAccess: { enabled: false, domain: 'auto', baseDomain: '' },
        container: { image: 'nginx', updatePolicy: 'Always', pullSecretName: '' },
        source: { enabled: false, url: '', ref: '', secretName: '' },
        env: {},
        instances: 1,
      },
    });
  });

  it('an uppercase domain and lowercases it', () => {
    const publicAccess = { enabled: true, domain: 'Shop.Example.COM', baseDomain: '' };
    expect(parseAppValues({ ...app, publicAccess }, RULES)).toMatchObject({
      value: { publicAccess: { domain: 'shop.example.com' } },
    });
  });

  it('custom domains in any form and normalizes them', () => {
    const domains = ['WWW.Example.com.', ' bücher.example '];
    const publicAccess = { enabled: false, domain: 'auto', baseDomain: '', domains };
    expect(parseAppValues({ ...app, publicAccess }, RULES)).toMatchObject({
      value: { publicAccess: { domains: ['www.example.com', 'xn--bcher-kva.example'] } },
    });
  });

  it.each([[[]], [null]])('%j as no further domains', (domains) => {
    const publicAccess = { ...app.publicAccess, domains };
    expect(parseAppValues({ ...app, publicAccess }, RULES)).toEqual({ ok: true, value: app });
  });

  it('unknown fields and drops them', () => {
    const withUnknownFields = { ...app, isAdmin: true, source: { ...app.source, hook: 'reboot' } };
    expect(parseAppValues(withUnknownFields, RULES)).toEqual({ ok: true, value: app });
  });

  it('variables named like built-in object properties', () => {
    const env = { constructor: 'a', toString: 'b' };
    expect(parseAppValues({ ...app, env }, RULES)).toMatchObject({ value: { env } });
  });

  it('a local source where the operator allows it', () => {
    const values = { ...app, source: { ...app.source, url: 'file:///srv/git/shop' } };
    expect(parseAppValues(values, { ...RULES, allowLocalSources: true })).toEqual({
      ok: true,
      value: values,
    });
  });
});

it('accepts a source URL with a token only where it is already stored', () => {
  const withUrl = (url: string) => ({ ...app, source: { ...app.source, url } });
  const tokenUrl = `https://ghp_${'0aZ'.repeat(12)}@github.com/acme/shop`;
  const refused = {
    ok: false,
    field: 'source.url',
    message: 'Source URL must not contain a token. Connect an integration instead',
  };
  expect(parseAppValues(withUrl(tokenUrl), RULES)).toEqual(refused);
  expect(parseAppValues(withUrl(tokenUrl), RULES, app)).toEqual(refused);
  expect(parseAppValues(withUrl(tokenUrl), RULES, withUrl(tokenUrl)).ok).toBe(true);
  expect(parseAppValues(withUrl('https://ada@bitbucket.org/acme/shop'), RULES).ok).toBe(true);
  expect(parseAppValues(withUrl(`ssh://${'APKA'.repeat(5)}@git.example.com/shop`), RULES).ok).toBe(
    true,
  );
});

it('accepts a PORT variable only where it is already stored', () => {
  const values = { ...app, env: { PORT: '3000' } };
  expect(parseAppValues(values, RULES, values)).toEqual({ ok: true, value: values });
  expect(parseAppValues(values, RULES, { env: { PORT: '80' } })).toMatchObject({ ok: false });
  expect(parseAppValues(values, RULES, { env: null })).toMatchObject({ ok: false });
});

it('accepts a size of the table, and one that was removed only where it is already stored', () => {
  const values = { ...app, resourceTier: 't3' };
  expect(parseAppValues(values, RULES)).toEqual({ ok: true, value: values });
  const gone = { ...app, resourceTier: 'huge' };
  expect(parseAppValues(gone, RULES, gone)).toEqual({ ok: true, value: gone });
  expect(parseAppValues(gone, RULES, app)).toMatchObject({ ok: false, field: 'resourceTier' });
  const rules = { ...RULES, tiers: { ...tiers, machine: { cpus: 1, memoryBytes: GIB } } };
  expect(parseAppValues(values, rules)).toEqual({
    ok: false,
    field: 'resourceTier',
    message: 't3 (1 CPU, 2 GiB) is larger than this machine (1 CPU, 1 GiB)',
  });
});

describe('parseAppValues rejects', () => {
  it.each([
    ['name', { name: '' }, 'Application name is required'],
    ['name', { name: 7 }, 'Application name is required'],
    ['name', { name: 'Shop' }, 'Must be lowercase a-z, 0-9, and - (no spaces or uppercase)'],
    ['projectId', { projectId: undefined }, 'Project ID not found'],
    ['projectId', { projectId: 'shop' }, 'Project ID not found'],
    ['projectId', { projectId: `${app.projectId}\n` }, 'Project ID not found'],
    ['resourceTier', { resourceTier: 't9' }, 'Must be one of t1, t2, t3, t4, t5'],
    ['resourceTier', { resourceTier: 1 }, 'Must be one of t1, t2, t3, t4, t5'],
    ['instances', { instances: 2 }, 'Instances must be 0 or 1'],
    ['instances', { instances: -1 }, 'Instances must be 0 or 1'],
    ['instances', { instances: '1' }, 'Instances must be 0 or 1'],
    ['instances', { instances: 0.5 }, 'Instances must be 0 or 1'],
    [
      'sleep.afterMinutes',
      { sleep: { afterMinutes: 0 } },
      'Must be a whole number of minutes between 1 and 1440',
    ],
  ])('%s in %j', (field, change, message) => {
    expect(parseAppValues({ ...app, ...change }, RULES)).toEqual({ ok: false, field, message });
  });

  it.each([
    [undefined, 'Port number is required'],
    [[], 'Port number is required'],
    [80, 'Port number is required'],
    [[{}], 'Port number is required'],
    [[80], 'Port number is required'],
    [[{ number: '80' }], PORT_RANGE],
    [[{ number: 0 }], PORT_RANGE],
    [[{ number: 65_536 }], PORT_RANGE],
    [[{ number: 80.5 }], PORT_RANGE],
    [[{ number: 80 }, { number: 80 }], 'Each port can be listed only once'],
    [
      Array.from({ length: 21 }, (_, index) => ({ number: index + 1 })),
      'At most 20 ports are allowed',
    ],
  ])('the ports %j', (ports, message) => {
    expect(parseAppValues({ ...app, ports }, RULES)).toEqual({
      ok: false,
      field: 'ports',
      message,
    });
  });

  it.each([
    ['', 'Custom domain is required'],
    ['localhost', 'Custom domain must look like app.example.com'],
    ['shop.example.com:80', 'Custom domain must look like app.example.com'],
  ])('the custom domain %j', (domain, message) => {
    const publicAccess = { enabled: true, domain, baseDomain: 'localhost' };
    expect(parseAppValues({ ...app, publicAccess }, RULES)).toEqual({
      ok: false,
      field: 'publicAccess.domain',
      message,
    });
  });

  it.each<[string, unknown, RegExp]>([
    ['that are no list', 'www.example.com', /must be a list/],
    ['that are no texts', [7], /must be a list/],
    ['with an empty one', [''], /^"": Custom domain is required$/],
    ['with "auto"', ['auto'], /^"auto": Custom domain must look like/],
    ['with an IP address', ['192.0.2.1'], /^"192.0.2.1": Custom domain must look like/],
    ['with localhost', ['localhost'], /must look like/],
    ['with a wildcard', ['*.example.com'], /Wildcard domains are not supported/],
    ['that are too long', [`${'a.'.repeat(126)}example`], /must look like/],
    ['with a duplicate', ['a.example.com', 'A.example.com.'], /^a.example.com is listed twice$/],
    ['with the other setting', ['shop.example.com'], /^shop.example.com is listed twice$/],
    ['that are too many', Array.from({ length: 20 }, (_, at) => `a${at}.example`), /At most 20/],
    // Before they are compared with each other, which takes seconds for 25,000.
    ['that are too many duplicates', Array(20).fill('a.example'), /At most 20/],
  ])('custom domains %s', (_, domains, message) => {
    const publicAccess = { enabled: true, domain: 'shop.example.com', baseDomain: '', domains };
    expect(parseAppValues({ ...app, publicAccess }, RULES)).toEqual({
      ok: false,
      field: 'publicAccess.domains',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['source.url', { url: '' }, 'Source URL is required'],
    ['source.url', { url: undefined }, 'Source URL is required'],
    ['source.url', { url: 'ext::sh' }, 'Source URL must start with https:// or ssh://'],
    [
      'source.url',
      { url: 'file:///etc' },
      'Source URL must start with https:// or ssh://; file:// must be enabled by the operator',
    ],
    [
      'source.ref',
      { ref: '--upload-pack=reboot' },
      'Source ref must be a branch, a tag or a commit',
    ],
    ['source.ref', { ref: '' }, 'Source ref must be a branch, a tag or a commit'],
  ])('%s in %j', (field, change, message) => {
    const source = { ...app.source, ...change };
    expect(parseAppValues({ ...app, source }, RULES)).toEqual({ ok: false, field, message });
  });

  it.each([
    ['', 'Container image is required'],
    [undefined, 'Container image is required'],
    ['--privileged', 'Container image must look like name:tag'],
  ])('the image %j when there is no source', (image, message) => {
    const container = { ...app.container, image };
    expect(parseAppValues({ ...fromImage, container }, RULES)).toEqual({
      ok: false,
      field: 'container.image',
      message,
    });
  });

  it.each([
    ['env', [], 'Environment must be a map of key to value'],
    ['env', 'A=b', 'Environment must be a map of key to value'],
    ['env.1A', { '1A': 'b' }, ENV_KEY],
    ['env.', { '': 'b' }, ENV_KEY],
    ['env.__proto__', JSON.parse('{"__proto__":"b"}'), ENV_KEY],
    ['env.PORT', { PORT: '3000' }, 'Use the port setting'],
    ['env.A', { A: 7 }, 'Environment values must be text'],
    ['env.A', { A: null }, 'Environment values must be text'],
    ['env.A', { A: 'null\0character' }, 'Environment values must be text'],
    ['env.A', { A: 'a'.repeat(30_001) }, 'Environment values must be at most 30000 characters'],
  ])('%s in the environment', (field, env, message) => {
    expect(parseAppValues({ ...app, env }, RULES)).toEqual({ ok: false, field, message });
  });

  it.each([
    ['a null character', { source: { ...app.source, secretName: 'a\0b' } }],
    ['an unpaired surrogate', { env: { A: '\ud83d' } }],
    ['a null character where no source is used', { source: { enabled: false, url: '\0' } }],
  ])('text the database cannot store: %s', (_what, change) => {
    expect(parseAppValues({ ...app, ...change }, RULES)).toEqual({
      ok: false,
      field: 'values',
      message: 'Values must not contain null characters or invalid Unicode',
    });
  });

  it.each([undefined, null, 'shop', 7, [], [app]])('%j for values', (values) => {
    expect(parseAppValues(values, RULES)).toEqual({
      ok: false,
      field: 'values',
      message: 'App values must be an object',
    });
  });
});

describe('parseAppValues', () => {
  it('returns values, or a field with its message, for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), almostApp()), (values) => {
        const parsed = parseAppValues(values, RULES);
        if (parsed.ok) return;
        expect([parsed.field, parsed.message]).not.toContain('');
      }),
    );
  });

  it('accepts its own result unchanged, also after JSON encoding', () => {
    fc.assert(
      fc.property(almostApp(), (values) => {
        const parsed = parseAppValues(values, RULES);
        fc.pre(parsed.ok);
        expect(parseAppValues(JSON.parse(JSON.stringify(parsed.value)), RULES)).toEqual(parsed);
      }),
    );
  });
});

describe('isHibernated', () => {
  it.each([
    [0, true],
    [1, false],
  ])('with %i instances is %s', (instances, expected) => {
    expect(isHibernated({ ...app, instances })).toBe(expected);
  });
});

/** Valid app values in which up to two fields, at most one level deep, are arbitrary. */
function almostApp(): fc.Arbitrary<unknown> {
  const path = fc.constantFrom(
    ...Object.keys(app).map((field) => [field]),
    ...(['publicAccess', 'container', 'source'] as const).flatMap((field) =>
      Object.keys(app[field]).map((inner) => [field, inner]),
    ),
    ['publicAccess', 'domains'],
    ['env', 'GREETING'],
  );
  const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.anything());
  return fc
    .array(fc.tuple(path, value), { maxLength: 2 })
    .map((changes) => changes.reduce(withChange, app));
}

function withChange(values: object, [path, value]: [path: string[], value: unknown]): object {
  const [field = '', inner] = path;
  if (inner === undefined) return { ...values, [field]: value };
  const before: unknown = Reflect.get(values, field);
  return { ...values, [field]: { ...(before as object), [inner]: value } };
}
