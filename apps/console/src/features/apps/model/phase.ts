/** What a deployment goes through, as a person follows it. */
export const PHASES = ['Queued', 'Fetching', 'Building', 'Starting', 'Checking', 'Live'] as const;
export type Phase = (typeof PHASES)[number];

const SIGNS: [Phase, RegExp][] = [
  ['Checking', /\b(?:check|answer|probe|health|respond)/i],
  ['Starting', /\b(?:start|launch|boot)/i],
  ['Building', /\b(?:build|install|compil)/i],
  ['Fetching', /\b(?:fetch|clon|pull|download|checkout)/i],
  ['Queued', /\b(?:queue|wait|pending|schedul)/i],
];

/** The server tells its phase in the first line of the message; the latest phase named is the one. */
export function phaseOf(message: string): Phase {
  const [headline = ''] = message.split('\n');
  return SIGNS.find(([, sign]) => sign.test(headline))?.[0] ?? 'Queued';
}
