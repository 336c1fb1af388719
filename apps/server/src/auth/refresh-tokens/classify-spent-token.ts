export type SpentToken = {
  token: string;
  spentSecondsAgo: number;
  isCurrent: (candidate: string) => boolean;
  successorOf: (token: string) => string;
};

export type Judgement = { kind: 'good'; current: string } | { kind: 'reused' };

const GRACE_SECONDS = 60;
const MAX_STEPS = 100;

/**
 * What the use of a spent token means. A token whose successor was never used stays good: the answer that held
 * the successor was lost, with a page that closed too early. Tabs that share a token may be a few refreshes
 * behind for a minute. Anything else was stolen.
 */
export function classifySpentToken({
  token,
  spentSecondsAgo,
  isCurrent,
  successorOf,
}: SpentToken): Judgement {
  const maxSteps = spentSecondsAgo <= GRACE_SECONDS ? MAX_STEPS : 1;
  let candidate = token;
  for (let step = 0; step < maxSteps; step += 1) {
    candidate = successorOf(candidate);
    if (isCurrent(candidate)) return { kind: 'good', current: candidate };
  }
  return { kind: 'reused' };
}
