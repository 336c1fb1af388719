import { expect, it } from 'vitest';
import { hostOfImage, parseRegistryHost } from './registry-host.ts';

it.each([
  ['ghcr.io', 'ghcr.io'],
  [' https://Registry.Example.com/ ', 'registry.example.com'],
  ['registry:5000', 'registry:5000'],
  ['localhost', 'localhost'],
  ['127.0.0.1:5000', '127.0.0.1:5000'],
  ['index.docker.io', 'docker.io'],
  ['registry-1.docker.io:443', 'docker.io'],
  ['https://docker.io', 'docker.io'],
  ['registry', undefined],
  ['', undefined],
  ['example.com/path', undefined],
  ['user@example.com', undefined],
  ['example.com:99999', undefined],
  ['example.com:', undefined],
  ['-example.com', undefined],
  ['exa mple.com', undefined],
  ['[::1]:5000', undefined],
  ['example.com?x', undefined],
  [`${'a'.repeat(260)}.com`, undefined],
])('reads %j as the host %j', (input, host) => {
  expect(parseRegistryHost(input)).toBe(host);
});

it.each([
  ['nginx', 'docker.io'],
  ['nginx:latest', 'docker.io'],
  ['ada/app', 'docker.io'],
  ['docker.io/library/nginx', 'docker.io'],
  ['index.docker.io/ada/app:1', 'docker.io'],
  ['ghcr.io/ada/app', 'ghcr.io'],
  ['registry:5000/app@sha256:00', 'registry:5000'],
  ['localhost/app', 'localhost'],
  ['Registry.Example.com/app', 'registry.example.com'],
  ['Intranet/app', 'intranet'],
  ['LOCALHOST/app', 'localhost'],
])('the registry of %s is %s', (image, host) => {
  expect(hostOfImage(image)).toBe(host);
});
