import type { DeploymentPhase } from '@longshore/contract';

export const PHASE_NAMES: Record<DeploymentPhase, string> = {
  queued: 'Queued',
  fetching: 'Fetching',
  building: 'Building',
  releasing: 'Release command',
  starting: 'Starting',
  checking: 'Checking',
  live: 'Live',
};
