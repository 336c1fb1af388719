import { autoDomain } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { appValues } from '../../test/values.ts';
import type { AppRow } from '../apps/reconciler-store.ts';
import { desiredApp } from './desired.ts';

const values = appValues('project');
const row = (change: Partial<AppRow['values']> = {}): AppRow => ({
  id: 'app',
  ownerId: 'ada',
  generation: 1,
  deleted: false,
  redeploys: 0,
  routedDomains: [],
  isRetryRequested: false,
  values: { ...values, ...change },
});
const hashOf = (change: Partial<AppRow['values']>) =>
  desiredApp(row(change), 'localhost').desiredHash;

describe('desiredHash', () => {
  it.each([
    ['the source', { source: { ...values.source, ref: 'next' } }],
    ['the environment', { env: { KEY: 'value' } }],
    ['the integration', { source: { ...values.source, secretName: 'an-integration' } }],
    ['a port', { ports: [{ number: 8080, expose: true }] }],
  ])('changes with %s', (_, change) => {
    expect(hashOf(change)).not.toBe(hashOf({}));
  });

  it.each([
    ['the number of instances', { instances: 0 }],
    [
      'public access',
      {
        publicAccess: { ...values.publicAccess, enabled: false },
        ports: [{ number: 3000, expose: false }],
      },
    ],
    ['the name', { name: 'other' }],
    ['the sleep setting', { sleep: { afterMinutes: 10 } }],
    ['the edge settings', { edge: { maintenance: true } }],
  ])('does not change with %s', (_, change) => {
    expect(hashOf(change)).toBe(hashOf({}));
  });

  it('changes with each redeploy', () => {
    const hashes = [0, 1, 2].map(
      (redeploys) => desiredApp({ ...row(), redeploys }, 'localhost').desiredHash,
    );
    expect(new Set(hashes).size).toBe(3);
    expect(hashes[0]).toBe(hashOf({}));
  });

  it('does not change with the order of the environment', () => {
    expect(hashOf({ env: { A: '1', B: '2' } })).toBe(hashOf({ env: { B: '2', A: '1' } }));
  });
});

/** With the keys in the order of the database. */
const stored = (expose: boolean) => ({ ports: [{ expose, number: 3000 }] });

it('has the hash by the older rule, which included public access', () => {
  const previous = (change: Partial<AppRow['values']>) =>
    desiredApp(row(change), 'localhost').previousDesiredHash;
  expect(previous(stored(true))).toBe(hashOf(stored(true)));
  expect(previous(stored(false))).not.toBe(hashOf(stored(false)));
  expect(previous(stored(false))).not.toBe(previous(stored(true)));
});

describe('hosts', () => {
  const hosts = (change: Partial<AppRow['values']>) => desiredApp(row(change), 'localhost').hosts;
  const generated = autoDomain({ id: 'app', name: 'hello' }, 'localhost');
  const custom = { enabled: true, domain: 'shop.example.com', baseDomain: '' };

  it('is the automatic domain', () => {
    expect(hosts({})).toEqual([generated]);
  });

  it('is the routed custom domains and the automatic one', () => {
    const publicAccess = { ...custom, domains: ['www.example.com', 'unproved.example.com'] };
    const routedDomains = ['www.example.com', 'shop.example.com'];
    expect(desiredApp({ ...row({ publicAccess }), routedDomains }, 'localhost').hosts).toEqual([
      'shop.example.com',
      'www.example.com',
      generated,
    ]);
  });

  it('is the automatic domain while no custom one is routed', () => {
    expect(hosts({ publicAccess: custom })).toEqual([generated]);
  });

  it.each([
    ['public access is off', { publicAccess: { ...values.publicAccess, enabled: false } }],
    ['public access with a custom domain is off', { publicAccess: { ...custom, enabled: false } }],
    ['no port is exposed', { ports: [{ number: 3000, expose: false }] }],
  ])('is none when %s', (_, change) => {
    expect(hosts(change)).toEqual([]);
  });
});

describe('sleep', () => {
  const sleepOf = (change: Partial<AppRow['values']>) =>
    desiredApp(row(change), 'localhost').sleepAfterMs;

  it('is the configured number of minutes', () => {
    expect(sleepOf({ sleep: { afterMinutes: 10 } })).toBe(600_000);
    expect(sleepOf({})).toBeUndefined();
  });

  it('is undefined for an app that no request could wake', () => {
    const publicAccess = { ...values.publicAccess, enabled: false };
    expect(sleepOf({ publicAccess, sleep: { afterMinutes: 10 } })).toBeUndefined();
  });
});

describe('policy', () => {
  const policyOf = (edge?: AppRow['values']['edge']) =>
    desiredApp(row(edge && { edge }), 'localhost').policy;

  it('is undefined for an app without edge settings', () => {
    expect(policyOf()).toBeUndefined();
  });

  it('has the settings in the units of the edge', () => {
    const same = {
      forceHttps: false,
      hsts: true,
      allowedIps: ['203.0.113.0/24'],
      headers: { 'X-Frame-Options': 'DENY' },
      maintenance: true,
      redirects: [{ from: 'example.com', to: 'https://www.example.com' }],
    };
    const edge = {
      basicAuth: { username: 'ada', password: 'hash' },
      maxBodyMb: 2,
      timeoutSeconds: 3,
    };
    expect(policyOf({ ...same, ...edge })).toEqual({
      ...same,
      basicAuth: { username: 'ada', passwordHash: 'hash' },
      maxBodyBytes: 2_097_152,
      timeoutMs: 3_000,
    });
  });
});
