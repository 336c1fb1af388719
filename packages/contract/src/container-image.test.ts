import { describe, expect, it } from 'vitest';
import { DEFAULT_CONTAINER_IMAGE } from './constants.ts';
import { containerImageProblem, imageWithTag, registryOfImage } from './container-image.ts';

const REQUIRED = 'Container image is required';
const PATTERN = 'Container image must look like name:tag';
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('containerImageProblem', () => {
  it.each([
    DEFAULT_CONTAINER_IMAGE,
    'nginx',
    'library/nginx:1.27-alpine',
    'ghcr.io/acme/shop:v1.2.3',
    'registry.gitlab.com/group/sub/app',
    'localhost:5000/shop',
    'localhost:5000/shop:dev',
    '123456789012.dkr.ecr.eu-west-1.amazonaws.com/shop:latest',
    'Registry.example.com/shop',
    'acme/my_shop:1.0_rc1',
    'acme/my__shop',
    `nginx@${DIGEST}`,
    `nginx:1.27@${DIGEST}`,
  ])('accepts %s', (image) => {
    expect(containerImageProblem(image)).toBeUndefined();
  });

  it.each(['', ' ', '\n'])('requires an image when it is %j', (image) => {
    expect(containerImageProblem(image)).toBe(REQUIRED);
  });

  it.each([
    '-v',
    '--privileged',
    'nginx latest',
    'nginx:latest\n',
    'nginx:',
    ':latest',
    'nginx:a:b',
    'nginx:-tag',
    'nginx@',
    'nginx@latest',
    `@${DIGEST}`,
    'acme//shop',
    'acme/',
    '/acme',
    '../shop',
    'acme/../shop',
    'Nginx',
    'acme/Shop',
    'nginx;reboot',
    '$(reboot)',
    'ngınx',
    'https://ghcr.io/acme/shop',
  ])('rejects %j', (image) => {
    expect(containerImageProblem(image)).toBe(PATTERN);
  });
});

describe('registryOfImage', () => {
  it.each([
    ['nginx', undefined],
    ['nginx:1.27', undefined],
    ['acme/shop:1', undefined],
    ['localhost/shop', 'localhost'],
    ['localhost:5000/shop', 'localhost:5000'],
    ['ghcr.io/acme/shop:1', 'ghcr.io'],
    ['Registry.example.com/shop', 'registry.example.com'],
    ['Intranet/shop', 'intranet'],
    ['LOCALHOST/shop', 'localhost'],
    [`10.0.0.1:5000/shop@${DIGEST}`, '10.0.0.1:5000'],
  ])('the registry of %s is %s', (image, registry) => {
    expect(registryOfImage(image)).toBe(registry);
  });
});

describe('imageWithTag', () => {
  it.each([
    ['nginx', '1.27', 'nginx:1.27'],
    ['nginx', '', 'nginx'],
    ['nginx:latest', '1.27', 'nginx:latest'],
    ['acme/shop', 'v1', 'acme/shop:v1'],
    ['localhost:5000/shop', 'v1', 'localhost:5000/shop:v1'],
    ['localhost:5000/shop:v0', 'v1', 'localhost:5000/shop:v0'],
    [`nginx@${DIGEST}`, 'v1', `nginx@${DIGEST}`],
  ])('%s with the tag %j is %s', (image, tag, tagged) => {
    expect(imageWithTag(image, tag)).toBe(tagged);
  });
});
