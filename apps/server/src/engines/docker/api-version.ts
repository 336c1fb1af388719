import { answerText, type Line, sendRequest } from './send-request.ts';

/** What we were written against; an older Engine is spoken to in its own version. */
const NEWEST_VERSION = '1.47';
const ANSWER_MS = 10_000;

export async function askVersion(line: Line): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await sendRequest(line, 'GET', '/version', { signal });
  const { ApiVersion } = JSON.parse(await answerText(answer)) as { ApiVersion: string };
  return olderVersion(ApiVersion, NEWEST_VERSION);
}

/** Versions are numbers with a dot, compared part by part. */
export function olderVersion(theirs: string, ours: string): string {
  const [major = 0, minor = 0] = theirs.split('.').map(Number);
  const [ourMajor = 0, ourMinor = 0] = ours.split('.').map(Number);
  const isOlder = major < ourMajor || (major === ourMajor && minor < ourMinor);
  return isOlder ? theirs : ours;
}
