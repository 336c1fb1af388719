import type { CommandState } from '@longshore/contract';

const STATES: Record<CommandState, string> = {
  queued: 'Starting',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  'timed-out': 'Timed out',
  interrupted: 'Interrupted',
};

export const MESSAGES = {
  title: 'Run a command',
  text: 'Runs once in the release that serves, with its variables, beside the app. It is ended after 10 minutes.',
  label: 'Command',
  example: 'node scripts/report.js',
  run: 'Run command',
  runFailed: 'Could not run the command',
  listLabel: 'Commands',
  states: STATES,
  exitCode: (code: number) => `Exit code ${code}`,
  inRelease: (release: number) => `Release ${release}`,
  by: (name: string) => `By ${name}`,
  output: 'Output',
  outputOf: (number: number) => `Output of command ${number}`,
  cancel: 'Cancel',
  cancelNumber: (number: number) => `Cancel command ${number}`,
  cancelFailed: 'Could not cancel the command',
} as const;
