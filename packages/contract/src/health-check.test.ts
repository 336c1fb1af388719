import { describe, expect, it } from 'vitest';
import { type HealthCheck, healthCheckText, parseHealthCheck } from './health-check.ts';

describe('a health check', () => {
  it.each<[unknown, HealthCheck | undefined]>([
    [undefined, undefined],
    [null, undefined],
    [{}, undefined],
    [{ path: ' ' }, undefined],
    [{ path: ' /health?deep=1 ' }, { path: '/health?deep=1' }],
    [{ intervalSeconds: 5 }, { intervalSeconds: 5 }],
    [
      { path: '/', status: 204, graceSeconds: 1, intervalSeconds: 3600, failureThreshold: 100 },
      { path: '/', status: 204, graceSeconds: 1, intervalSeconds: 3600, failureThreshold: 100 },
    ],
  ])('%j is stored as %j', (value, stored) => {
    expect(parseHealthCheck(value)).toEqual({ ok: true, value: stored });
  });

  it.each([
    ['/health', '', 'Must be an object'],
    [{ path: 'health' }, '.path', 'Must start with /'],
    [{ path: '/a b' }, '.path', 'Must be a path and a query, without spaces and #'],
    [{ path: '/a#b' }, '.path', 'Must be a path and a query, without spaces and #'],
    [{ path: '/ä' }, '.path', 'Must be a path and a query, without spaces and #'],
    [{ path: '/\r\nHost: x' }, '.path', 'Must be a path and a query, without spaces and #'],
    [{ path: `/${'a'.repeat(1000)}` }, '.path', 'Must have at most 1000 characters'],
    [{ path: 1 }, '.path', 'Must be text'],
    [{ status: 200 }, '.status', 'Needs a path'],
    [{ path: '/', status: 99 }, '.status', 'Must be a whole number between 100 and 599'],
    [{ graceSeconds: 0 }, '.graceSeconds', 'Must be a whole number between 1 and 1800'],
    [{ intervalSeconds: '5' }, '.intervalSeconds', 'Must be a whole number between 1 and 3600'],
    [{ failureThreshold: 1.5 }, '.failureThreshold', 'Must be a whole number between 1 and 100'],
    [{ method: 'POST' }, '.method', 'Unknown setting'],
  ])('%j is refused', (value, field, message) => {
    expect(parseHealthCheck(value)).toEqual({ ok: false, field: `healthCheck${field}`, message });
  });

  it('is described', () => {
    expect(healthCheckText({ path: '/up' })).toBe('GET /up');
    expect(healthCheckText({ intervalSeconds: 1 })).toBe('TCP connection');
  });
});
