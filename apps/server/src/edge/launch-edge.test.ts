import type { LaunchResult } from '@longshore/edge-contract';
import { expect, it } from 'vitest';
import { launchProblem } from './launch-edge.ts';

type Failure = Extract<LaunchResult, { kind: 'failed' }>;

const http = { protocol: 'http', host: '127.0.0.1', port: 8080 } as const;
const https = { protocol: 'https', host: '127.0.0.1', port: 443 } as const;

it.each<[Omit<Failure, 'kind'>, string]>([
  [
    {
      listener: http,
      code: 'EADDRINUSE',
      text: 'Port 8080 is already in use by process 7 (nginx).',
    },
    'LONGSHORE_INGRESS_PORT 8080 is already in use by process 7 (nginx).',
  ],
  [
    { listener: https, code: 'EACCES', text: 'This user may not listen on port 443.' },
    'LONGSHORE_HTTPS_PORT: This user may not listen on port 443.',
  ],
  [
    { listener: http, code: 'EADDRNOTAVAIL', text: 'This machine has no such address.' },
    'LONGSHORE_HOST is not an address of this machine.',
  ],
  [{ text: 'The edge did not start: no memory' }, 'The edge did not start: no memory'],
])('names the variable to change: %j', (failure, message) => {
  expect(launchProblem({ kind: 'failed', ...failure }).message).toBe(message);
});
