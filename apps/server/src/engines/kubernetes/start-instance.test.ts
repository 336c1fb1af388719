import { expect, it } from 'vitest';
import { chosenPorts } from './start-instance.ts';

it.each([
  ['a chosen port', 3000, { exposedPorts: [8080], foundPort: 4567 }, 3000],
  ['the port that was found', 80, { exposedPorts: [8080], foundPort: 4567 }, 4567],
  ['the port that the image exposes', 80, { exposedPorts: [8080], foundPort: undefined }, 8080],
  ['port 80 if the image exposes several', 80, { exposedPorts: [1, 2], foundPort: undefined }, 80],
  ['port 80', 80, { exposedPorts: [], foundPort: undefined }, 80],
])('an app gets %s', (_, number, built, expected) => {
  const chosen = chosenPorts([{ number, expose: true }], built);
  expect(chosen).toEqual([{ number: expected, expose: true }]);
});

it('an app without a port gets none', () => {
  expect(chosenPorts([], { exposedPorts: [8080], foundPort: 4567 })).toEqual([]);
});
