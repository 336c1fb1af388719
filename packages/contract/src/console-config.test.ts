import { expect, it } from 'vitest';
import { type ConsoleConfig, publicUrlOf } from './console-config.ts';

const ingress: ConsoleConfig['ingress'] = {
  scheme: 'http',
  port: 80,
  baseDomain: 'localhost',
  publicIp: '203.0.113.7',
};

it.each([
  ['http', 80, 'http://shop.example.com'],
  ['https', 443, 'https://shop.example.com'],
  ['http', 443, 'http://shop.example.com:443'],
  ['https', 80, 'https://shop.example.com:80'],
  ['http', 8080, 'http://shop.example.com:8080'],
] as const)('the URL over %s on port %i is %s', (scheme, port, url) => {
  expect(publicUrlOf({ ...ingress, scheme, port }, 'shop.example.com')).toBe(url);
});
