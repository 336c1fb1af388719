/** Status of a resource, set by the reconciler only. */
export type Status = 'syncing' | 'synced' | 'backoff';

export type Badge = 'Ready' | 'Loading' | 'Error' | 'Hibernated' | 'Unknown';

/** `nextStep` is what the user can do; `evidence` is raw output, such as an exit code and the last log lines. */
export type StatusMessage = { headline: string; nextStep?: string; evidence: string[] };

const BADGES: Record<Status, Badge> = { synced: 'Ready', syncing: 'Loading', backoff: 'Error' };

/** Prefix of the line below the headline that contains the next step. */
const NEXT_STEP_MARK = '→ ';

const IMAGE_PULL_FAILED = 'Failed to pull image, does it exist?';
const BUILD_FAILED = 'Failed to build from source, check logs for details';
const RECONCILE = /\b([Rr])econcile(d?)\b/g;

/** Hibernated has precedence over every status (spec-map 4.2.6). */
export function badgeOf({ status, instances }: { status: string; instances: number }): Badge {
  if (instances === 0) return 'Hibernated';
  return isStatus(status) ? BADGES[status] : 'Unknown';
}

export function isStatus(status: string): status is Status {
  return Object.hasOwn(BADGES, status);
}

/** The message of a failure: what happened, what to do about it, then the evidence. */
export function formatStatusMessage(
  headline: string,
  nextStep: string,
  evidence: string[],
): string {
  return [headline, `${NEXT_STEP_MARK}${nextStep}`, ...evidence].join('\n');
}

/**
 * Only the headline is reworded. Evidence stays unchanged and does not affect the headline: an app may print "build job".
 */
export function parseStatusMessage(status: string, message: string): StatusMessage {
  const [first = '', ...rest] = message.split('\n');
  const headline = rewordHeadline(status, first);
  if (!rest[0]?.startsWith(NEXT_STEP_MARK)) return { headline, evidence: rest };
  const [markedStep, ...evidence] = rest;
  return { headline, nextStep: markedStep.slice(NEXT_STEP_MARK.length), evidence };
}

function rewordHeadline(status: string, headline: string): string {
  const lowercase = headline.toLowerCase();
  if (status === 'backoff') {
    if (lowercase.includes('image') && /back-?off/.test(lowercase)) return IMAGE_PULL_FAILED;
    if (lowercase.includes('build') && lowercase.includes('job')) return BUILD_FAILED;
  }
  return headline.replace(RECONCILE, (_match, initial: string, past: string) => {
    return `${initial === 'R' ? 'D' : 'd'}eploy${past === '' ? '' : 'ed'}`;
  });
}
