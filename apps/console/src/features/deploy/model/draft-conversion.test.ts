import { DEFAULT_TIERS, parseAppValues } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { anApp } from '../../../../test/resources.ts';
import { type DeployDraft, emptyDraft } from './deploy-draft.ts';
import { appValuesFromDraft, draftFromApp } from './draft-conversion.ts';

const context = { projectId: '0b2f6c1e-2f3a-4c5d-8e9f-0a1b2c3d4e5f', baseDomain: 'localhost' };
const draft: DeployDraft = {
  ...emptyDraft(),
  isManualMode: true,
  appName: 'shop',
  sourceUrl: ' https://github.com/acme/shop ',
  port: '3000',
  envVars: [{ id: '1', key: 'A', value: '1' }],
};

describe('app values of a draft', () => {
  it('from a git source have the specified shape', () => {
    expect(appValuesFromDraft(draft, context)).toEqual({
      name: 'shop',
      projectId: context.projectId,
      resourceTier: 't1',
      ports: [{ number: 3000, expose: true }],
      publicAccess: { enabled: true, domain: 'auto', baseDomain: 'localhost' },
      container: { image: 'nginx:latest', updatePolicy: 'Always', pullSecretName: '' },
      source: { enabled: true, url: 'https://github.com/acme/shop', ref: 'main', secretName: '' },
      env: { A: '1' },
      instances: 1,
    });
  });

  it.each<[Partial<DeployDraft>, string]>([
    [{ sourceRef: 'v2 ' }, 'v2'],
    [{ sourceRef: ' ' }, 'main'],
    [{ sourceRef: '--leftover', deploymentType: 'docker', containerImage: 'redis' }, 'main'],
  ])('with %j have the ref %s', (change, ref) => {
    expect(appValuesFromDraft({ ...draft, ...change }, context).source.ref).toBe(ref);
  });

  it.each<[Partial<DeployDraft>, string]>([
    [{ containerImage: 'redis', containerTag: '8' }, 'redis:8'],
    [{ containerImage: 'redis:7', containerTag: '8' }, 'redis:7'],
    [{ containerImage: 'redis' }, 'redis'],
  ])('from an image %j have the image %s and no source', (change, image) => {
    const values = appValuesFromDraft({ ...draft, ...change, deploymentType: 'docker' }, context);
    expect(values.container.image).toBe(image);
    expect(values.source.enabled).toBe(false);
  });

  it.each<[Partial<DeployDraft>, { source: string; pull: string }]>([
    [{}, { source: 'git', pull: '' }],
    [
      { deploymentType: 'docker', containerImage: 'redis' },
      { source: '', pull: 'hub' },
    ],
  ])('with %j contain only the integration that is used: %j', (change, { source, pull }) => {
    const both = { ...draft, sourceSecretName: 'git', containerPullSecretName: 'hub', ...change };
    const values = appValuesFromDraft(both, context);
    expect(values.source.secretName).toBe(source);
    expect(values.container.pullSecretName).toBe(pull);
  });

  it.each<[Partial<DeployDraft>, { afterMinutes: number } | undefined]>([
    [{ sleepsWhenIdle: true }, { afterMinutes: 10 }],
    [{ sleepsWhenIdle: true, sleepAfterMinutes: ' 30 ' }, { afterMinutes: 30 }],
    [{ sleepsWhenIdle: false, sleepAfterMinutes: '30' }, undefined],
    [{ sleepsWhenIdle: true, exposePort: false }, undefined],
  ])('with %j have the sleep settings %j', (change, sleep) => {
    expect(appValuesFromDraft({ ...draft, ...change }, context).sleep).toEqual(sleep);
  });

  it.each<[Partial<DeployDraft>, { enabled: boolean; domain: string }]>([
    [
      { useCustomDomain: true, customDomain: 'Shop.Example.com' },
      { enabled: true, domain: 'shop.example.com' },
    ],
    [
      { exposePort: false, useCustomDomain: true, customDomain: 'a.example.com' },
      { enabled: false, domain: 'auto' },
    ],
  ])('with %j have the public access %j', (change, access) => {
    expect(appValuesFromDraft({ ...draft, ...change }, context).publicAccess).toMatchObject(access);
  });

  it('contain only the advanced settings that are filled in', () => {
    const filled = {
      ...draft,
      rootDirectory: ' apps/web ',
      startCommand: 'node a.js',
      dockerfile: ' ',
    };
    const values = appValuesFromDraft(filled, context);
    expect(values.build).toEqual({ rootDirectory: 'apps/web' });
    expect(values.run).toEqual({ command: 'node a.js' });
  });

  it('lose an advanced setting that is cleared, and keep those that the form does not show', () => {
    const existing = anApp({
      build: {
        buildCommand: 'make',
        target: 'web',
        versions: { node: '22', go: '1.26', ruby: '3.4' },
      },
      run: { command: 'a' },
    }).values;
    const cleared = {
      ...draftFromApp(existing),
      buildCommand: '',
      nodeVersion: '',
      startCommand: '',
    };
    const values = appValuesFromDraft(cleared, { ...context, existing });
    expect(values.build).toEqual({ target: 'web', versions: { go: '1.26', ruby: '3.4' } });
    expect(values.run).toBeUndefined();
  });

  it('are accepted by the validator of the server', () => {
    const machine = { cpus: 4, memoryBytes: 8 * 1024 ** 3 };
    const rules = { allowLocalSources: false, tiers: { tiers: DEFAULT_TIERS, machine } };
    const parsed = parseAppValues(appValuesFromDraft(draft, context), rules);
    expect(parsed.ok).toBe(true);
  });

  it('stay the same when an app is loaded into the form and saved', () => {
    const { values } = anApp({
      instances: 0,
      sleep: { afterMinutes: 30 },
      edge: { basicAuth: { username: 'ada' }, maintenance: true },
      build: {
        rootDirectory: 'apps/web',
        installCommand: 'npm ci',
        buildCommand: 'npm run build',
        outputDirectory: 'dist',
        dockerfile: 'docker/Dockerfile',
        target: 'web',
        versions: { node: '22', go: '1.26' },
        variables: [],
      },
      run: { command: 'node a.js' },
      watchPaths: ['apps/web/**', '!**/*.md'],
      source: { enabled: true, url: 'git@gitlab.com:a/b.git', ref: 'v1', secretName: 'i1' },
      ports: [
        { number: 80, expose: true },
        { number: 81, expose: false },
      ],
    });
    const sent = appValuesFromDraft(draftFromApp(values), {
      projectId: values.projectId,
      baseDomain: values.publicAccess.baseDomain,
      existing: values,
    });
    expect(sent).toEqual(values);
  });
});
