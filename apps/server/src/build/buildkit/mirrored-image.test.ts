import { expect, it } from 'vitest';
import { pullNames } from './mirrored-image.ts';

const MIRROR = { host: 'localhost:5000', isPlainHttp: true };

it.each([
  ['moby/buildkit:rootless', 'localhost:5000/moby/buildkit:rootless'],
  ['alpine', 'localhost:5000/library/alpine'],
  ['alpine:3', 'localhost:5000/library/alpine:3'],
  ['docker.io/moby/buildkit', 'localhost:5000/moby/buildkit'],
  ['docker.io/alpine', 'localhost:5000/library/alpine'],
  ['index.docker.io/library/alpine', 'localhost:5000/library/alpine'],
  [`alpine@sha256:${'0'.repeat(64)}`, `localhost:5000/library/alpine@sha256:${'0'.repeat(64)}`],
])('pulls %s from the mirror first, then from Docker Hub', (image, mirrored) => {
  expect(pullNames(image, MIRROR)).toEqual([mirrored, image]);
});

it.each([
  ['ghcr.io/moby/buildkit', MIRROR],
  ['docker.io.evil.example/moby/buildkit', MIRROR],
  ['moby/buildkit', undefined],
  ['moby/buildkit', { host: '[::1]:5000', isPlainHttp: true }],
])('pulls %s only under its own name with the mirror %j', (image, mirror) => {
  expect(pullNames(image, mirror)).toEqual([image]);
});
