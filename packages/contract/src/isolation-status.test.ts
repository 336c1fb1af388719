import { expect, it } from 'vitest';
import { decodeIsolationStatus, type IsolationStatus } from './isolation-status.ts';

const STATUS: IsolationStatus = {
  missing: ['Longshore does not run as root.'],
  whoMayDeploy: 'operators',
  mayDeploy: true,
  isOperator: true,
  installCommand: 'apt-get install bubblewrap',
};

it.each<[string, unknown, IsolationStatus | undefined]>([
  ['a whole response', STATUS, STATUS],
  ['no command', { ...STATUS, installCommand: null }, { ...STATUS, installCommand: null }],
  ['a sentence of another type', { ...STATUS, missing: [1] }, { ...STATUS, missing: [] }],
  ['no sentences', { ...STATUS, missing: undefined }, undefined],
  ['an unknown rule', { ...STATUS, whoMayDeploy: 'nobody' }, undefined],
  ['no permission', { ...STATUS, mayDeploy: undefined }, undefined],
  ['no account', { ...STATUS, isOperator: 'yes' }, undefined],
  ['text', 'isolated', undefined],
])('decodes %s', (_, body, status) => {
  expect(decodeIsolationStatus(body)).toEqual(status);
});
