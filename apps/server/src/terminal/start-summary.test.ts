import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { appUrlOf, type StartSummary, summaryMessages, summaryText } from './start-summary.ts';

const summary: StartSummary = {
  version: '0.1.0',
  publicUrl: 'http://localhost:1337',
  appUrl: 'http://<app>.localhost:8080',
  engine: { kind: 'process', reason: 'because Docker does not respond', notes: ['No limits'] },
  dataDir: '/srv/longshore',
  firstAccount: undefined,
};
const setupCode = new Secret('7KQM-2XWD-HR9T');

it('shows addresses, engine, data directory and how to stop', () => {
  expect(summaryText(summary, false)).toBe(`
  Longshore 0.1.0 is ready

  Console  http://localhost:1337
  Apps     http://<app>.localhost:8080
  Engine   Processes, because Docker does not respond
           No limits
  Data     /srv/longshore

  Press Ctrl-C to stop Longshore. Apps keep serving; npm run stop stops the edge too.
`);
});

it.each([
  ['http://<app>.apps.example.com', 'off', 443],
  ['https://<app>.apps.example.com', 'valid', 443],
  // Apps get a certificate once they are deployed.
  ['https://<app>.apps.example.com', 'pending', 443],
  ['http://<app>.apps.example.com', 'valid', undefined],
] as const)('apps are at %s if their certificate is %s and HTTPS has the port %s', (...row) => {
  const [url, state, httpsPort] = row;
  const ingress = {
    scheme: 'http' as const,
    port: 80,
    baseDomain: 'apps.example.com',
    publicIp: '203.0.113.1',
    ...(httpsPort && { httpsPort }),
  };
  expect(appUrlOf(ingress, () => ({ state }))).toBe(url);
});

it('shows how to create the first account, with the set-up code if it is needed', () => {
  const open = summaryText({ ...summary, firstAccount: { setupCode: undefined } }, false);
  expect(open).toContain('\n  First account  http://localhost:1337/signup\n\n');
  const exposed = summaryText({ ...summary, firstAccount: { setupCode } }, false);
  expect(exposed).toContain(
    '\n  First account  http://localhost:1337/signup\n  Set-up code    7KQM-2XWD-HR9T\n\n',
  );
});

it('differs with colors in nothing but colors', () => {
  const colored = summaryText({ ...summary, firstAccount: { setupCode } }, true);
  expect(colored).toContain('\u001b[');
  expect(stripVTControlCharacters(colored)).toBe(
    summaryText({ ...summary, firstAccount: { setupCode } }, false),
  );
});

it.each<[StartSummary['firstAccount'], string[]]>([
  [undefined, []],
  [{ setupCode: undefined }, []],
  [
    { setupCode },
    [
      'To create the first account, open http://localhost:1337/signup and enter the set-up code 7KQM-2XWD-HR9T',
    ],
  ],
])('logs that it is ready, for the first account %o', (firstAccount, lines) => {
  expect(summaryMessages({ ...summary, firstAccount })).toEqual([
    ...lines,
    'Longshore is ready: http://localhost:1337',
  ]);
});
