import { type AuditResult, auditServer } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, startBackend, stopWithoutErrors } from '../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => stopWithoutErrors(backend));

/** Decision 60 has the reasons. */
const DECLARED = {
  /** GET is not executed. */
  get: ['5A70', 'D6D5', '6A70'],
  /** Invalid requests have the status 200 if the client did not ask for the newer type. */
  parameters: [
    ...['A5BF', '8764', '3E3A', 'LKJ0', 'LKJ1', 'LKJ2', 'LKJ3', '6C00', '6C01', '6C02', '6C03'],
    ...['4760', '4761', '4762', '4763', '58B0', '58B1', '58B2', '58B3'],
  ],
  /** The same for invalid JSON: the only recommendation that is not followed. */
  invalidJson: ['BCF8'],
};

describe('the audit of the GraphQL over HTTP specification', () => {
  let results: AuditResult[];
  beforeAll(async () => {
    results = await auditServer({
      url: 'http://localhost/v1/graphql',
      fetchFn: (url: string, init?: RequestInit) => backend.app.request(url, init),
    });
  });

  const idsOf = (status: AuditResult['status']) =>
    results.flatMap((result) => (result.status === status ? result.id : [])).sort();

  it('finds no violated requirement', () => {
    expect(idsOf('error')).toEqual([]);
    expect(idsOf('ok').length).toBeGreaterThanOrEqual(38);
  });

  it('finds exactly the declared differences from recommendations', () => {
    expect(idsOf('warn')).toEqual(DECLARED.invalidJson);
  });

  it('finds exactly the declared options that are not used', () => {
    expect(idsOf('notice')).toEqual([...DECLARED.get, ...DECLARED.parameters].sort());
  });
});
