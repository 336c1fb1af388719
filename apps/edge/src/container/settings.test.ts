import { expect, it } from 'vitest';
import { containerSettings } from './settings.ts';

const LONGSHORE_EDGE_KEY = 'k'.repeat(32);

it('listens on port 80 by default, and on the port for HTTPS if there is one', () => {
  const http = { protocol: 'http', host: '0.0.0.0', port: 80 };
  const https = { protocol: 'https', host: '0.0.0.0', port: 443 };
  expect(containerSettings({ LONGSHORE_EDGE_KEY })).toEqual({
    secret: LONGSHORE_EDGE_KEY,
    leaveMs: 20_000,
    drainMs: 30_000,
    listeners: [http],
  });
  const settings = containerSettings({ LONGSHORE_EDGE_KEY, LONGSHORE_HTTPS_PORT: '443' });
  expect(settings.listeners).toEqual([http, https]);
});

it.each([
  ['LONGSHORE_EDGE_KEY', 'short'],
  ['LONGSHORE_INGRESS_PORT', '0'],
  ['LONGSHORE_HTTPS_PORT', 'https'],
  ['LONGSHORE_EDGE_LEAVE_SECONDS', '0'],
  ['LONGSHORE_EDGE_DRAIN_SECONDS', '-1'],
])('names %s if it is "%s"', (name, value) => {
  const read = () => containerSettings({ LONGSHORE_EDGE_KEY, [name]: value });
  expect(read).toThrow(new RegExp(`^${name} must `));
});
