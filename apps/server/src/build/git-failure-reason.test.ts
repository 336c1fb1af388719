import { expect, it } from 'vitest';
import { gitFailureReason } from './git-checkout.ts';

/** Unchanged messages of git 2.39 and of the large git hosts. */
it.each([
  ['disk-full', 'error: unable to create file a: No space left on device'],
  [
    'repository-refused',
    "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
  ],
  [
    'repository-refused',
    "remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://gitlab.com/a/b.git/'",
  ],
  [
    'repository-refused',
    'git@github.com: Permission denied (publickey).\r\nfatal: Could not read from remote repository.',
  ],
  [
    'repository-refused',
    "fatal: unable to access 'https://host/a/': The requested URL returned error: 403",
  ],
  [
    'repository-not-found',
    "remote: Repository not found.\nfatal: repository 'https://github.com/a/b/' not found",
  ],
  [
    'repository-not-found',
    'ERROR: Repository not found.\nfatal: Could not read from remote repository.',
  ],
  [
    'repository-not-found',
    "fatal: '/nowhere' does not appear to be a git repository\nfatal: Could not read from remote repository.",
  ],
  [
    'repository-not-found',
    'fatal: https://example.com/info/refs not valid: is this a git repository?',
  ],
  [
    'repository-not-found',
    "fatal: unable to access 'https://host/a/': The requested URL returned error: 301",
  ],
  ['ref-not-found', "fatal: couldn't find remote ref nope"],
  [
    'ref-not-found',
    'fatal: remote error: upload-pack: not our ref 0123456789012345678901234567890123456789',
  ],
  [
    'ref-not-found',
    'error: Server does not allow request for unadvertised object 0123456789012345678901234567890123456789',
  ],
  [
    'repository-unreachable',
    "fatal: unable to access 'https://nowhere.example/': Could not resolve host: nowhere.example",
  ],
  [
    'repository-unreachable',
    "fatal: unable to access 'https://host/': Failed to connect to host port 443 after 3 ms: Couldn't connect to server",
  ],
  [
    'repository-unreachable',
    'ssh: connect to host host port 22: Connection timed out\nfatal: Could not read from remote repository.',
  ],
  [
    'repository-unreachable',
    "fatal: unable to access 'https://host/': The requested URL returned error: 502",
  ],
  [
    'repository-unreachable',
    "fatal: unable to access 'https://host/': SSL certificate problem: self-signed certificate",
  ],
  [
    'repository-damaged',
    'remote: fatal: unable to read 1111111111111111111111111111111111111111\nremote: aborting due to possible repository corruption on the remote side.\nfatal: early EOF\nfatal: fetch-pack: invalid index-pack output',
  ],
  [
    'repository-damaged',
    'error: git upload-pack: git-pack-objects died with error.\nfatal: git upload-pack: aborting due to possible repository corruption on the remote side.',
  ],
  [
    'repository-unreachable',
    'error: git upload-pack: git-pack-objects died of signal 9\nfatal: git upload-pack: aborting due to possible repository corruption on the remote side.',
  ],
  ['repository-too-large', 'fatal: pack exceeds maximum allowed size'],
  [
    'repository-invalid',
    'fatal: pack has bad object at offset 12: inflate returned -3\nfatal: fetch-pack: invalid index-pack output',
  ],
  ['repository-unreachable', 'fatal: early EOF\nfatal: fetch-pack: invalid index-pack output'],
  ['repository-invalid', 'fatal: dumb http transport does not support shallow capabilities'],
  ['source-not-allowed', 'The repository was replaced while it was checked'],
  [
    'repository-invalid',
    "error: unable to normalize alternate object path: /x\nfatal: couldn't find remote ref main",
  ],
  ['source-not-allowed', "fatal: transport 'ext' not allowed"],
])('%s: %s', (reason, output) => {
  expect(gitFailureReason(output)).toBe(reason);
});
