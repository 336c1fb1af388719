import { describe, expect, it } from 'vitest';
import { type ReferencedApp, resolveEnv } from './resolve-references.ts';

const APPS = new Map<string, ReferencedApp>(
  Object.entries({
    web: appWith({ OWN: 'stored', LOOP: '${{web.LOOP}}' }),
    api: appWith({
      TOKEN: 's3cret',
      ABOUT: 'token ${{api.TOKEN}} of ${{worker.QUEUE}}',
      BROKEN: '${{gone.A}}',
      TO_WEB: '${{web.FROM_API}}',
      URL: 'a variable of this name',
      UNREADABLE: null,
      LITERAL: '$${{x}}',
      constructor: 'own',
    }),
    worker: appWith({ QUEUE: 'jobs' }),
  }),
);

function appWith(env: ReferencedApp['env']): ReferencedApp {
  return {
    env,
    address: { URL: 'http://api.example.com', HOST: 'api.internal', PORT: '3000' },
  };
}

const resolve = (env: Record<string, string>) => resolveEnv(env, { name: 'web', apps: APPS });

describe('a variable', () => {
  it.each([
    ['plain', 'plain'],
    ['${{api.URL}}', 'http://api.example.com'],
    ['http://${{api.HOST}}:${{ api.PORT }}/v1', 'http://api.internal:3000/v1'],
    ['${{api.TOKEN}}${{api.TOKEN}}', 's3crets3cret'],
    ['${{api.ABOUT}}', 'token s3cret of jobs'],
    ['${{web.OTHER}}', 'of this release'],
    ['$${{api.URL}}', '${{api.URL}}'],
    ['${{api.LITERAL}}', '${{x}}'],
    ['${{api.constructor}}', 'own'],
  ])('with the value %j gets %j', (value, expected) => {
    const resolved = resolve({ A: value, OTHER: 'of this release' });
    expect(resolved).toMatchObject({ ok: true, env: { A: expected, OTHER: 'of this release' } });
  });

  it.each([
    ['${{gone.URL}}', '${{gone.URL}}: The project has no app gone'],
    ['${{gone.A}}', '${{gone.A}}: The project has no app gone'],
    ['${{api.GONE}}', '${{api.GONE}}: The app api has no variable GONE'],
    ['${{api.toString}}', '${{api.toString}}: The app api has no variable toString'],
    ['${{api.BROKEN}}', '${{gone.A}}: The project has no app gone'],
    ['${{api.UNREADABLE}}', '${{api.UNREADABLE}}: The stored value cannot be read'],
    ['${{web.A}}', '${{web.A}} refers to itself: web.A → web.A'],
    // A variable that only the stored values have.
    ['${{web.OWN}}', '${{web.OWN}}: The app web has no variable OWN'],
  ])('cannot have the value %j', (value, problem) => {
    expect(resolve({ A: value })).toEqual({ ok: false, variable: 'A', problem });
  });

  it('cannot refer to itself through another app', () => {
    expect(resolve({ FROM_API: '${{api.TO_WEB}}' })).toEqual({
      ok: false,
      variable: 'FROM_API',
      problem: '${{web.FROM_API}} refers to itself: web.FROM_API → api.TO_WEB → web.FROM_API',
    });
  });

  it('cannot grow without limit', () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`A${n}`, `\${{web.A${n + 1}}}\${{web.A${n + 1}}}`]),
    );
    expect(resolve({ ...doubled, A40: 'long' })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('is longer than 30000 characters'),
    });
  });

  it('cannot begin a chain of any length', () => {
    const chain = Array.from({ length: 10_000 }, (_, n) => [`A${n}`, `\${{web.A${n + 1}}}`]);
    expect(resolve(Object.fromEntries(chain))).toMatchObject({
      ok: false,
      problem: expect.stringContaining('More than 50 references follow each other'),
    });
  });
});

it('lists the values that come from other variables', () => {
  const env = { A: '${{api.ABOUT}}', B: '${{api.URL}}', C: 'own', D: '$${{x' };
  expect(resolve(env)).toMatchObject({
    referred: {
      A: 'token s3cret of jobs',
      B: 'http://api.example.com',
      'api.ABOUT': 'token s3cret of jobs',
      'api.TOKEN': 's3cret',
      'worker.QUEUE': 'jobs',
    },
  });
});
