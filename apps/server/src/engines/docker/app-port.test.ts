import { expect, it } from 'vitest';
import { appPort } from './app-port.ts';
import type { Image } from './images.ts';

it.each<[what: string, chosen: number, exposed: string[], found: number | undefined, port: number]>(
  [
    ['the chosen one', 3000, ['8080/tcp'], 9000, 3000],
    ['the default one of an image that exposes none', 80, [], undefined, 80],
    ['the one that the image exposes', 80, ['8080/tcp', '53/udp'], undefined, 8080],
    ['the default one among several', 80, ['443/tcp', '80/tcp'], undefined, 80],
    ['the usual one among several', 80, ['9464/tcp', '3000/tcp'], undefined, 3000],
    ['the one that the app was found to listen on', 80, ['8080/tcp'], 9000, 9000],
  ],
)('is %s', (_, chosen, exposed, found, port) => {
  const ports = [{ number: chosen, expose: true }];
  expect(appPort(ports, { image: exposing(exposed), found })).toBe(port);
});

it('is none for an app without ports', () => {
  expect(appPort([], { image: exposing(['80/tcp']), found: undefined })).toBeUndefined();
});

function exposing(names: string[]): Image {
  const ExposedPorts = Object.fromEntries(names.map((name) => [name, {}]));
  const Config = { Labels: null, Cmd: null, ExposedPorts };
  return { Id: '1', RepoTags: [], RepoDigests: [], Architecture: 'amd64', Created: '', Config };
}
