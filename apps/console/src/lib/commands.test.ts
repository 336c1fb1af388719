import { expect, it } from 'vitest';
import { createCommands } from './commands.ts';

const command = (label: string) => ({ label, run: () => undefined });

it('are those of every screen that is shown, until it takes them back', () => {
  const commands = createCommands();
  const takeBack = commands.offer([command('Hibernate'), command('Edit')]);
  commands.offer([command('New Project')]);
  expect(commands.state().map(({ label }) => label)).toEqual(['Hibernate', 'Edit', 'New Project']);
  takeBack();
  expect(commands.state().map(({ label }) => label)).toEqual(['New Project']);
});
