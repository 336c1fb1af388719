import type { Detected, Release } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';
import { type AdvancedDraft, forHealth, forVersions } from './deploy-draft.ts';

/** What the last build found out. Undefined before the first one, and of images. Expects the newest release first. */
export function lastDetected(history: readonly Release[]): Detected | undefined {
  return history.find(({ detected }) => detected.summary !== undefined)?.detected;
}

/** What each empty field stands for; examples as long as nothing is known. */
export function placeholdersOf(
  detected: Detected | undefined,
): Record<keyof AdvancedDraft, string> {
  const { advanced: texts, examples } = MESSAGES;
  if (detected === undefined) return examples;
  const { installCommand, buildCommand, startCommand, outputDirectory, dockerfile } = detected;
  const found = { installCommand, buildCommand, startCommand, outputDirectory, dockerfile };
  const shown = Object.entries(found).map(([name, text]) => [name, text ?? texts.noneDetected]);
  return {
    ...Object.fromEntries(shown),
    ...forVersions((runtime) => detected.versions?.[runtime] ?? texts.defaultVersion),
    rootDirectory: texts.rootOfCode,
    releaseCommand: examples.releaseCommand,
    stopGraceSeconds: examples.stopGraceSeconds,
    ...forHealth((_, field) => examples[field]),
  };
}
