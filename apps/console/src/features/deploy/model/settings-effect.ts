import type { SettingEffect } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

type RunningApp = { hasProjectNetwork: boolean; isGit: boolean };

/** The strongest first. */
const ORDER: SettingEffect[] = [
  'rebuild',
  'restart-or-rebuild',
  'restart',
  'restart-or-scale',
  'new-name',
  'scale',
  'sleep-or-wake',
  'nothing',
];

/** What changing any of these settings causes, said before anything is changed. */
export function settingsEffectText(
  effects: SettingEffect[],
  { hasProjectNetwork, isGit }: RunningApp,
): string {
  const texts = MESSAGES.settings.effects;
  const hasBoth = effects.includes('rebuild') && effects.includes('restart-or-rebuild');
  if (isGit && hasBoth) return texts['rebuild-or-restart'];
  const strongest = ORDER.find((effect) => effects.includes(effect)) ?? 'nothing';
  switch (strongest) {
    case 'rebuild':
      return isGit ? texts.rebuild : texts.pull;
    case 'restart-or-rebuild':
      return isGit ? texts['restart-or-rebuild'] : texts.restart;
    case 'new-name':
      return texts[hasProjectNetwork ? 'new-name-restarts' : 'new-name'];
    default:
      return texts[strongest];
  }
}
