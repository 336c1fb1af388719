import type { AppValues } from '@longshore/contract';
import { expect, it } from 'vitest';
import { anApp } from '../../../../test/resources.ts';
import { editChanges } from './edit-changes.ts';

const { values } = anApp({ env: { GREETING: 'hello', TOKEN: 'secret' } });
const { source, container, publicAccess } = values;
const image = { ...values, source: { ...source, enabled: false } };
const shut = { ...publicAccess, enabled: false };

it.each<[string[], AppValues, Partial<AppValues>]>([
  [[], values, {}],
  [['name shop → store'], values, { name: 'store' }],
  [['port 3000 → 8080'], values, { ports: [{ number: 8080, expose: true }] }],
  [['ref main → next'], values, { source: { ...source, ref: 'next' } }],
  [['ref main → ccccccc'], values, { source: { ...source, ref: 'c'.repeat(40) } }],
  [['source URL'], values, { source: { ...source, url: 'https://user:word@example.com/a' } }],
  [['account'], values, { source: { ...source, secretName: 'i1' } }],
  [['image nginx:latest → redis:8'], image, { container: { ...container, image: 'redis:8' } }],
  [['account'], image, { container: { ...container, pullSecretName: 'i1' } }],
  [['source repository → image'], values, { source: image.source }],
  [['public access on → off'], values, { publicAccess: shut }],
  [
    ['domain automatic → shop.example.com'],
    values,
    { publicAccess: { ...publicAccess, domain: 'shop.example.com' } },
  ],
  [['sleep off → after 5 min'], values, { sleep: { afterMinutes: 5 } }],
  [['1 variable'], values, { env: { ...values.env, TOKEN: 'another secret' } }],
  [['1 variable'], values, { env: { GREETING: 'hello' } }],
  [['3 variables'], values, { env: { GREETING: 'bye', constructor: 'x' } }],
  [
    ['name shop → store', 'port 3000 → 8080', '1 variable'],
    values,
    { name: 'store', ports: [{ number: 8080, expose: true }], env: { GREETING: 'hello' } },
  ],
])('tells %j', (told, before, change) => {
  expect(editChanges(before, { ...before, ...change })).toEqual(told);
});
