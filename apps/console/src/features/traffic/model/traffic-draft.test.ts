import { type EdgeSettings, parseEdgeSettings } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { anApp } from '../../../../test/resources.ts';
import {
  draftFromEdge,
  edgeFromDraft,
  hostsOf,
  refusalProblem,
  type TrafficDraft,
  type TrafficProblems,
  trafficProblems,
} from './traffic-draft.ts';

const app = anApp({
  publicAccess: { enabled: true, domain: 'auto', baseDomain: '', domains: ['example.com'] },
});
const empty = draftFromEdge();
const row = (first: string, second: string, id = 0) => ({ id, first, second });

describe('the draft', () => {
  it.each<[string, EdgeSettings | undefined]>([
    ['no setting', undefined],
    [
      'every setting',
      {
        maintenance: true,
        basicAuth: { username: 'ada' },
        allowedIps: ['203.0.113.0/24', '::1'],
        redirects: [{ from: 'example.com', to: 'https://www.example.com' }],
        headers: { 'X-Frame-Options': 'DENY' },
        maxBodyMb: 10,
        timeoutSeconds: 20,
        forceHttps: false,
        hsts: true,
      },
    ],
    ['HTTPS without exception', { forceHttps: true }],
  ])('keeps %s', (_, edge) => {
    expect(edgeFromDraft(draftFromEdge(edge))).toEqual(edge);
  });

  it('sends a password only if one was entered', () => {
    const draft = { ...empty, hasPassword: true, username: 'ada', password: 'sesame' };
    expect(edgeFromDraft(draft)).toEqual({ basicAuth: { username: 'ada', password: 'sesame' } });
    expect(edgeFromDraft({ ...draft, hasPassword: false })).toBeUndefined();
  });

  it('accepts addresses with commas and spaces, and rows that are still empty', () => {
    const draft = {
      ...empty,
      allowedIps: ' 203.0.113.7, ::1\n',
      headers: [row('', ' ')],
      redirects: [row('', '')],
    };
    expect(edgeFromDraft(draft)).toEqual({ allowedIps: ['203.0.113.7', '::1'] });
  });
});

describe('problems', () => {
  it.each<[Partial<TrafficDraft>, TrafficProblems]>([
    [{}, {}],
    [{ hasPassword: true }, { username: 'Username is required' }],
    [{ hasPassword: true, username: 'ada' }, { password: 'Password is required' }],
    [{ allowedIps: 'all' }, { allowedIps: expect.stringMatching(/^"all": Must be an address/) }],
    [{ maxBodyMb: 'ten' }, { maxBodyMb: expect.stringMatching(/whole number of megabytes/) }],
    [{ timeoutSeconds: '0' }, { timeoutSeconds: expect.stringMatching(/between 1 and 3600/) }],
    [
      { headers: [row('Set-Cookie', 'a')] },
      { headers: 'Set-Cookie: Only the app can set this header' },
    ],
    [{ headers: [row('X-A', '')] }, { headers: 'X-A: Header value is required' }],
    [
      { headers: [row('X-A', '1'), row('x-a', '2', 1)] },
      { headers: 'x-a: This header is listed twice' },
    ],
    [
      { headers: [row('X-A', '1'), row('X-A', '2', 1)] },
      { headers: 'x-a: This header is listed twice' },
    ],
    [
      { redirects: [row('example.com', '')] },
      { redirects: expect.stringMatching(/must look like/) },
    ],
    [
      { redirects: [row('example.com', 'https://example.com')] },
      { redirects: 'The redirects form a loop: example.com → example.com' },
    ],
    [
      { redirects: [row('other.example', 'https://example.com')] },
      { redirects: '"other.example" is not a domain of this app' },
    ],
  ])('of %j', (change, problems) => {
    expect(trafficProblems({ ...empty, ...change }, app, 'localhost')).toEqual(problems);
  });

  it('are none for the hosts of the app, and for a stored password', () => {
    const stored = anApp({ ...app.values, edge: { basicAuth: { username: 'ada' } } });
    const redirects = hostsOf(stored, 'localhost').map((host, id) =>
      row(host, 'https://www.example.com', id),
    );
    const draft = { ...empty, hasPassword: true, username: 'grace', redirects };
    expect(trafficProblems(draft, stored, 'localhost')).toEqual({});
    expect(parseEdgeSettings(edgeFromDraft(draft), stored.values.edge).ok).toBe(true);
  });

  it.each([
    [
      'values.edge.redirects: "a" is not a domain of this app',
      { redirects: '"a" is not a domain of this app' },
    ],
    [
      'values.edge.headers.X-A: Header value is required',
      { headers: 'X-A: Header value is required' },
    ],
    ['values.edge.basicAuth.password: Password is required', { password: 'Password is required' }],
    ['values.name: Taken', { form: 'values.name: Taken' }],
    ['The server is down', { form: 'The server is down' }],
  ])('of the server: %s', (message, problems) => {
    expect(refusalProblem(message)).toEqual(problems);
  });
});
