import { mentionsDiskFull } from '../engines/disk-full.ts';
import type { Reason } from '../engines/failure.ts';

/** Tried in order: git often adds a general sentence below the telling one. */
const RULES: [pattern: RegExp, reason: Reason][] = [
  [/host key verification failed|remote host identification has changed/i, 'host-key-changed'],
  [/transport '[^']*' not allowed/, 'source-not-allowed'],
  [/died of signal 25|file too large|exceeded maximum allowed size/i, 'repository-too-large'],
  [/couldn't find remote ref|not our ref|unadvertised object/i, 'ref-not-found'],
  [/could not read (?:username|password)|authentication failed/i, 'repository-refused'],
  [/permission denied \((?:publickey|password|keyboard)/i, 'repository-refused'],
  [/returned error: 40[13]\b/, 'repository-refused'],
  [/repository '[^']*' not found|repository not found/i, 'repository-not-found'],
  [/does not appear to be a git repository|returned error: (?:404|3\d\d)/, 'repository-not-found'],
  [/not valid: is this a git repository/, 'repository-not-found'],
];

/** Why git could not fetch, by what it said. What we do not know is taken for a fault of the network. */
export function gitFailureReason(output: string): Reason {
  if (mentionsDiskFull(output)) return 'disk-full';
  return RULES.find(([pattern]) => pattern.test(output))?.[1] ?? 'repository-unreachable';
}
