import { expect, it } from 'vitest';
import { settingsEffectText } from './settings-effect.ts';

it.each([
  [['nothing'], false, true, 'Changes here restart nothing'],
  [['nothing', 'rebuild'], false, true, 'Changes here rebuild the app'],
  [['nothing', 'restart'], false, true, 'Changes here restart the app'],
  [
    ['restart-or-rebuild'],
    false,
    true,
    'Changes here restart the app, and rebuild it if its build depends on them',
  ],
  [['rebuild', 'restart-or-rebuild'], false, true, 'Changes here rebuild or restart the app'],
  [['restart-or-rebuild'], true, false, 'Changes here restart the app'],
  [['rebuild'], true, false, 'Changes here pull the image and restart the app'],
  [['new-name'], false, true, 'A new name restarts nothing'],
  [['new-name'], true, true, 'A new name restarts the app'],
  [[], false, true, 'Changes here restart nothing'],
] as const)(
  'of %j (project network: %s, git: %s) is: %s',
  (effects, hasProjectNetwork, isGit, text) => {
    expect(settingsEffectText([...effects], { hasProjectNetwork, isGit })).toBe(text);
  },
);
