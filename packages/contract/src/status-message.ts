export type StatusMessage = { headline: string; nextStep?: string; evidence: string[] };

/** Begins the line, right below the sentence, that says what to do. */
const NEXT_STEP_MARK = '→ ';

const IMAGE_PULL_FAILED = 'Failed to pull image, does it exist?';
const RECONCILE = /\b([Rr])econcile(d?)\b/g;
const BUILD_FAILED = 'Failed to build from source, check logs for details';

/** A failure as the server tells it: what happened, what to do about it, and below it the evidence. */
export function explained(happened: string, nextStep: string, evidence: string[]): string {
  return [happened, `${NEXT_STEP_MARK}${nextStep}`, ...evidence].join('\n');
}

/**
 * Spec §4, Messages. The server's first line is its sentence, the second may say what to do, the others are evidence (exit
 * code, last output) and are shown as they are: an app that prints "build job" must not change the sentence.
 */
export function statusMessage(status: string, message: string): StatusMessage {
  const [first = '', ...below] = message.split('\n');
  const headline = reworded(status, first);
  if (!below[0]?.startsWith(NEXT_STEP_MARK)) return { headline, evidence: below };
  const [marked, ...evidence] = below;
  return { headline, nextStep: marked.slice(NEXT_STEP_MARK.length), evidence };
}

function reworded(status: string, sentence: string): string {
  const words = sentence.toLowerCase();
  if (status === 'backoff') {
    if (words.includes('image') && /back-?off/.test(words)) return IMAGE_PULL_FAILED;
    if (words.includes('build') && words.includes('job')) return BUILD_FAILED;
  }
  return sentence.replace(RECONCILE, (_word, initial: string, past: string) => {
    return `${initial === 'R' ? 'D' : 'd'}eploy${past === '' ? '' : 'ed'}`;
  });
}
