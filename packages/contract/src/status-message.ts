export type StatusMessage = { headline: string; evidence: string[] };

const IMAGE_PULL_FAILED = 'Failed to pull image, does it exist?';
const RECONCILE = /\b([Rr])econcile(d?)\b/g;
const BUILD_FAILED = 'Failed to build from source, check logs for details';

/**
 * Spec §4, Messages. The server's first line is its sentence, the lines below are evidence (exit code,
 * last output) and are shown as they are: an app that prints "build job" must not change the sentence.
 */
export function statusMessage(status: string, message: string): StatusMessage {
  const [first = '', ...evidence] = message.split('\n');
  return { headline: reworded(status, first), evidence };
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
