import { expect, it } from 'vitest';
import { createCommands } from './commands.tsx';

const command = (label: string) => ({ label, run: () => undefined });

it('contains the commands of every screen that is shown', () => {
  const commands = createCommands();
  const unregister = commands.register([command('Hibernate'), command('Edit')]);
  commands.register([command('New Project')]);
  expect(commands.state().map(({ label }) => label)).toEqual(['Hibernate', 'Edit', 'New Project']);
  unregister();
  expect(commands.state().map(({ label }) => label)).toEqual(['New Project']);
});
