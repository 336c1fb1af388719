/** What a deployment goes through, as a person follows it. */
export const PHASES = ['queued', 'fetching', 'building', 'starting', 'checking', 'live'] as const;
export type Phase = (typeof PHASES)[number];

const SIGNS: [Phase, RegExp][] = [
  ['checking', /\b(?:check|answer|probe|health|respond)/i],
  ['starting', /\b(?:start|launch|boot)/i],
  ['building', /\b(?:build|install|compil)/i],
  ['fetching', /\b(?:fetch|clon|pull|download|checkout)/i],
  ['queued', /\b(?:queue|wait|pending|schedul)/i],
];

/** The server tells its phase in the first line of the message; the latest phase named is the one. */
export function phaseOf(message: string): Phase {
  const [headline = ''] = message.split('\n');
  return SIGNS.find(([, sign]) => sign.test(headline))?.[0] ?? 'queued';
}
