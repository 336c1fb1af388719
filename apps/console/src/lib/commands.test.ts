import { expect, it } from 'vitest';
import { createCommands } from './commands.tsx';

const command = (label: string) => ({ label, run: () => undefined });
const app = Symbol('app');
const releases = Symbol('releases');

function openScreens() {
  const commands = createCommands();
  commands.set(app, [command('Hibernate'), command('Edit')]);
  commands.set(releases, [command('Redeploy')]);
  return { commands, labels: () => commands.state().map(({ label }) => label) };
}

it('contains the commands of every screen that is shown', () => {
  const { commands, labels } = openScreens();
  expect(labels()).toEqual(['Hibernate', 'Edit', 'Redeploy']);
  commands.set(app);
  expect(labels()).toEqual(['Redeploy']);
});

it('keeps the order when a screen replaces its commands', () => {
  const { commands, labels } = openScreens();
  commands.set(app, [command('Wake')]);
  expect(labels()).toEqual(['Wake', 'Redeploy']);
});
