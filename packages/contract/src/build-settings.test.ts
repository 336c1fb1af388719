import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBuildSettings, parseRunSettings, stopGraceProblem } from './build-settings.ts';

describe('parseBuildSettings accepts', () => {
  it.each([
    undefined,
    null,
    {},
    { rootDirectory: '' },
    { rootDirectory: ' ./ ' },
    { buildCommand: '  ', dockerfile: null },
    { versions: {} },
    { versions: { node: '' } },
  ])('%j as no settings', (build) => {
    expect(parseBuildSettings(build)).toEqual({ ok: true, value: undefined });
  });

  it.each<[string, object, object]>([
    ['every setting', everySetting(), everySetting()],
    ['paths in any spelling', { rootDirectory: './apps//web/' }, { rootDirectory: 'apps/web' }],
    ['the root as output', { outputDirectory: './' }, { outputDirectory: '.' }],
    ['spaces around a command', { buildCommand: ' make  all ' }, { buildCommand: 'make  all' }],
    ['a build without variables', { variables: [] }, { variables: [] }],
    ['a repeated name', { variables: ['B', 'A', 'B'] }, { variables: ['A', 'B'] }],
    [
      'a range of versions',
      { versions: { node: '>=20 <23 || ^24.1' } },
      {
        versions: { node: '>=20 <23 || ^24.1' },
      },
    ],
  ])('%s', (_, build, value) => {
    expect(parseBuildSettings(build)).toEqual({ ok: true, value });
  });

  it('an unknown setting that is stored already, and drops it', () => {
    const build = { later: [1], target: 'web' };
    expect(parseBuildSettings(build, { later: [1] })).toEqual({
      ok: true,
      value: { target: 'web' },
    });
  });
});

describe('parseBuildSettings refuses', () => {
  it.each<[field: string, build: unknown, message: string]>([
    ['build', 'npm', 'Must be an object'],
    ['build.later', { later: 1 }, 'Unknown setting'],
    ['build.rootDirectory', { rootDirectory: 1 }, 'Must be text'],
    ['build.rootDirectory', { rootDirectory: 'apps/../..' }, 'Must not contain ..'],
    [
      'build.rootDirectory',
      { rootDirectory: '/etc' },
      'Must be a relative path, without / at its start',
    ],
    ['build.outputDirectory', { outputDirectory: 'a\\b' }, 'Folders must be separated by /'],
    ['build.dockerfile', { dockerfile: 'a\nb' }, 'Must not contain control characters'],
    ['build.dockerfile', { dockerfile: 'a'.repeat(256) }, 'Must have at most 255 characters'],
    [
      'build.installCommand',
      { installCommand: 'a\nb' },
      'Must be one line without control characters',
    ],
    [
      'build.buildCommand',
      { buildCommand: 'a'.repeat(1_001) },
      'Must have at most 1000 characters',
    ],
    ['build.target', { target: '--x' }, 'Must be the name of a stage of the Dockerfile'],
    ['build.versions', { versions: '22' }, 'Must be an object'],
    ['build.versions.cobol', { versions: { cobol: '1' } }, 'Unknown setting'],
    [
      'build.versions.node',
      { versions: { node: '$(id)' } },
      'Must be a version such as 22 or 3.12',
    ],
    ['build.variables', { variables: 'A' }, 'Must be a list of names'],
    [
      'build.variables',
      { variables: ['1A'] },
      '"1A": Must start with a letter and contain only alphanumeric characters and underscores',
    ],
    ['build.variables', { variables: [1] }, '1: Must be text'],
    [
      'build.variables',
      { variables: Array.from({ length: 201 }, (_, index) => `A${index}`) },
      'At most 200 names are allowed',
    ],
  ])('%s of %j', (field, build, message) => {
    expect(parseBuildSettings(build)).toEqual({ ok: false, field, message });
  });
});

it.each([1, 10, 300])('accepts %d seconds between SIGTERM and SIGKILL', (stopGraceSeconds) => {
  const value = { stopGraceSeconds };
  expect(parseRunSettings(value)).toEqual({ ok: true, value });
  expect(stopGraceProblem(` ${stopGraceSeconds} `)).toBeUndefined();
});

it.each([0, 301, 1.5, -1, '10', true, Number.NaN])('refuses %o of them', (stopGraceSeconds) => {
  expect(parseRunSettings({ stopGraceSeconds })).toEqual({
    ok: false,
    field: 'run.stopGraceSeconds',
    message: 'Must be a whole number of seconds between 1 and 300',
  });
});

it.each([
  ['', true],
  ['30', true],
  ['0', false],
  ['1e2', false],
  ['ten', false],
])('reads %j of a field for them', (text, isValid) => {
  expect(stopGraceProblem(text) === undefined).toBe(isValid);
});

it('accepts a start command and refuses other settings of run', () => {
  const value = { command: 'node server.js --port $PORT' };
  expect(parseRunSettings(value)).toEqual({ ok: true, value });
  expect(parseRunSettings({ command: ' ' })).toEqual({ ok: true, value: undefined });
  expect(parseRunSettings({ entrypoint: 'x' })).toMatchObject({
    ok: false,
    field: 'run.entrypoint',
  });
});

it('accepts a release command of one line', () => {
  const value = { releaseCommand: 'npm run migrate && npm run seed' };
  expect(parseRunSettings(value)).toEqual({ ok: true, value });
  expect(parseRunSettings({ releaseCommand: ' ' })).toEqual({ ok: true, value: undefined });
  for (const releaseCommand of ['one\ntwo', 7, 'x'.repeat(1_001)]) {
    const refused = parseRunSettings({ releaseCommand });
    expect(refused).toMatchObject({ ok: false, field: 'run.releaseCommand' });
  }
});

it('never throws, and accepts what it returned', () => {
  fc.assert(
    fc.property(fc.anything(), (build) => {
      const parsed = parseBuildSettings(build);
      if (parsed.ok) expect(parseBuildSettings(parsed.value)).toEqual(parsed);
    }),
  );
});

function everySetting() {
  return {
    rootDirectory: 'apps/web',
    installCommand: 'npm ci',
    buildCommand: 'npm run build && ls',
    outputDirectory: 'dist',
    dockerfile: 'docker/Dockerfile',
    target: 'production',
    versions: { node: '22', python: '3.12' },
    variables: ['NEXT_PUBLIC_URL'],
  };
}
