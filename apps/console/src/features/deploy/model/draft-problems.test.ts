import { describe, expect, it } from 'vitest';
import { type DeployDraft, emptyDraft } from './deploy-draft.ts';
import { draftProblems, envNotes, refusalOf, refusalProblems } from './draft-problems.ts';
import { emptyProcessRow } from './process-rows.ts';

const rules = { allowLocalSources: false };
const valid: DeployDraft = {
  ...emptyDraft(),
  isManualMode: true,
  appName: 'shop',
  sourceUrl: 'https://github.com/acme/shop',
};
const env = (...keys: string[]) =>
  keys.map((key, index) => ({ id: String(index + 1), key, value: 'x' }));

describe('a deploy draft', () => {
  it('with valid fields has no problems', () => {
    expect(draftProblems(valid, rules)).toEqual({});
  });

  it.each<[Partial<DeployDraft>, object]>([
    [{ appName: '' }, { appName: 'Application name is required' }],
    [
      { appName: 'My Shop' },
      { appName: 'Must be lowercase a-z, 0-9, and - (no spaces or uppercase)' },
    ],
    [{ sourceUrl: '' }, { sourceUrl: 'Source URL is required' }],
    [{ isManualMode: false }, { selectedRepository: 'Please select a repository' }],
    [{ deploymentType: 'docker' }, { containerImage: 'Container image is required' }],
    [{ deploymentType: 'docker', containerImage: 'redis', containerTag: '7' }, {}],
    [
      { deploymentType: 'docker', containerImage: 'redis', containerTag: 'a b' },
      { containerImage: 'Container image must look like name:tag' },
    ],
    [{ sourceRef: ' ' }, {}],
    [{ port: '' }, { port: 'Port number is required' }],
    [{ port: '0' }, { port: 'Port must be a number between 1 and 65535' }],
    [{ port: '80.5' }, { port: 'Port must be a number between 1 and 65535' }],
    [{ useCustomDomain: true }, { customDomain: 'Custom domain is required' }],
    [{ useCustomDomain: true, exposePort: false }, {}],
    [
      { sleepsWhenIdle: true, sleepAfterMinutes: '0' },
      { sleepAfterMinutes: 'Must be a whole number of minutes between 1 and 1440' },
    ],
    [{ sleepsWhenIdle: true, sleepAfterMinutes: '', exposePort: false }, {}],
    [{ sleepAfterMinutes: '' }, {}],
    [{ rootDirectory: '../other' }, { rootDirectory: 'Must not contain ..' }],
    [{ rootDirectory: '../other', deploymentType: 'docker', containerImage: 'redis' }, {}],
    [
      { startCommand: 'a\nb', deploymentType: 'docker', containerImage: 'redis' },
      { startCommand: 'Must be one line without control characters' },
    ],
    [{ watchPaths: '\n apps/web/** \n' }, {}],
    [{ watchPaths: 'a\n../b' }, { watchPaths: '"../b": Must not contain ..' }],
    [{ nodeVersion: ';' }, { nodeVersion: 'Must be a version such as 22 or 3.12' }],
    [{ pythonVersion: ';' }, { pythonVersion: 'Must be a version such as 22 or 3.12' }],
    [
      { envVars: env('GOOD', '1BAD') },
      {
        envVars: {
          2: 'Must start with a letter and contain only alphanumeric characters and underscores',
        },
      },
    ],
    [{ envVars: env('port', ' PORT ') }, { envVars: { 2: 'Use the port setting' } }],
    [{ envVars: env('A', 'A') }, { envVars: { 2: 'This key is already used above' } }],
    [
      { envVars: [{ id: '1', key: 'A', value: 'a'.repeat(30_001) }] },
      { envVars: { 1: 'Environment values must be at most 30000 characters' } },
    ],
  ])('with %j has the problems %j', (change, problems) => {
    expect(draftProblems({ ...valid, ...change }, rules)).toEqual(problems);
  });

  it('keeps a PORT variable of an older version with a note, and refuses another value', () => {
    const draft = { ...valid, envVars: env('A', 'PORT') };
    expect(draftProblems(draft, rules, { storedEnv: { PORT: 'x' } })).toEqual({});
    expect(envNotes(draft, { storedEnv: { PORT: 'x' }, apps: [] })).toEqual({
      2: 'Ignored: Longshore sets PORT itself. Remove this variable.',
    });
    expect(draftProblems(draft, rules, { storedEnv: { PORT: '80' } })).toEqual({
      envVars: { 2: 'Use the port setting' },
    });
    expect(envNotes(draft, { storedEnv: { PORT: '80' }, apps: [] })).toEqual({});
    expect(envNotes(draft, { storedEnv: undefined, apps: [] })).toEqual({});
  });

  it('may use a local source only where the operator allows it', () => {
    const local = { ...valid, sourceUrl: 'file:///srv/shop.git' };
    expect(draftProblems(local, { allowLocalSources: true })).toEqual({});
    expect(draftProblems(local, rules).sourceUrl).toMatch(/must be enabled by the operator/);
  });
});

it('refuses sleep when idle for processes, except those that ran with it', () => {
  const draft = { ...valid, sleepsWhenIdle: true };
  const detected = { processes: { worker: 'node worker.js' } };
  const problem = { sleepsWhenIdle: expect.stringContaining('process worker') };
  expect(draftProblems(draft, rules, { detected })).toEqual(problem);
  expect(draftProblems(draft, rules, { detected, ranWithSleep: ['clock'] })).toEqual(problem);
  expect(draftProblems(draft, rules, { detected, ranWithSleep: ['worker'] })).toEqual({});
});

describe('a refusal of the server', () => {
  const draft = {
    ...emptyDraft(),
    appName: 'web',
    useCustomDomain: true,
    customDomain: 'shop.example.com',
    processes: [{ ...emptyProcessRow([]), id: '4', name: 'mail-worker' }],
  };

  it.each([
    ['values.name: Taken', { appName: 'Taken' }],
    ['values.publicAccess.domain: Taken: twice', { customDomain: 'Taken: twice' }],
    ['values.processes: Too large', { processes: 'Too large' }],
    [
      'values.processes.mail-worker.replicas: Too many',
      { processRows: { 4: { replicas: 'Too many' } } },
    ],
    [
      'values.processes.clock.replicas: Too many',
      { processRows: { 'procfile-clock': { replicas: 'Too many' } } },
    ],
    ['values.instances: Instances must be 0 or 1', {}],
    ['The disk is full', {}],
  ])('%j is shown as %j', (message, problems) => {
    expect(refusalProblems(refusalOf(message, draft), draft)).toEqual(problems);
  });

  it('ends when the field changes or is hidden', () => {
    const refusal = refusalOf('values.name: Taken', draft);
    expect(refusalProblems(refusal, { ...draft, port: '81' })).toEqual({ appName: 'Taken' });
    expect(refusalProblems(refusal, { ...draft, appName: 'web-2' })).toEqual({});
    const tooMany = refusalOf('values.processes: Too large', draft);
    expect(refusalProblems(tooMany, { ...draft, processes: [] })).toEqual({});
    const variable = { ...draft, envVars: env('A', 'B') };
    const unknown = refusalOf('values.env.B: ${{api.URL}}: No app', variable);
    expect(refusalProblems(unknown, variable)).toEqual({ envVars: { 2: '${{api.URL}}: No app' } });
    expect(refusalProblems(unknown, { ...draft, envVars: env('A') })).toEqual({});
    const taken = refusalOf('values.publicAccess.domain: Taken', draft);
    expect(refusalProblems(taken, { ...draft, useCustomDomain: false })).toEqual({});
    expect(refusalProblems(taken, { ...draft, exposePort: false })).toEqual({});
  });
});
