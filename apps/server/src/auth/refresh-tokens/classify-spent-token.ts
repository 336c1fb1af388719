export type SpentToken = {
  token: string;
  spentSecondsAgo: number;
  isCurrent: (candidate: string) => boolean;
  successorOf: (token: string) => string;
};

export type SpentTokenUse = { kind: 'legitimate'; current: string } | { kind: 'reused' };

const GRACE_SECONDS = 60;
const MAX_STEPS = 100;

/**
 * Decides whether the use of a spent refresh token is legitimate. A token whose successor was never used is
 * legitimate: the response with the successor was lost, for example because the page was closed. Within a minute,
 * browser tabs that share a token may be several refreshes behind. Every other use means that the token was stolen.
 */
export function classifySpentToken({
  token,
  spentSecondsAgo,
  isCurrent,
  successorOf,
}: SpentToken): SpentTokenUse {
  const maxSteps = spentSecondsAgo <= GRACE_SECONDS ? MAX_STEPS : 1;
  let candidate = token;
  for (let step = 0; step < maxSteps; step += 1) {
    candidate = successorOf(candidate);
    if (isCurrent(candidate)) return { kind: 'legitimate', current: candidate };
  }
  return { kind: 'reused' };
}
