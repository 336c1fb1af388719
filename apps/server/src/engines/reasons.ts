import type { Reason } from './failure.ts';

type Explanation = {
  /**
   * What happened. The console rewords what it reads (spec §4): a failed build says *build* and *job*, and no other
   * sentence may hold both. Names and text of the user's never enter it; they follow as evidence.
   */
  happened: string;
  /** What its owner, or the operator, can do. */
  nextStep: string;
  /** A transient cause is worth trying again by itself; the others stand until the next edit. */
  isRetried: boolean;
};

/** Every way in which an app can fail to run. */
export const EXPLANATIONS: Record<Reason, Explanation> = {
  'repository-not-found': {
    happened: 'The repository was not found.',
    nextStep: 'Check the source URL.',
    isRetried: false,
  },
  'repository-refused': {
    happened: 'The repository asks for a sign-in.',
    nextStep: 'Make it public, or choose a source of an integration that may read it.',
    isRetried: false,
  },
  'repository-unreachable': {
    happened: 'The repository could not be reached. It is tried again by itself.',
    nextStep: 'Check the host in the source URL if this goes on.',
    isRetried: true,
  },
  'repository-too-large': {
    happened: 'The repository is too large to be fetched.',
    nextStep: 'Move large files out of it, or deploy a container image.',
    isRetried: false,
  },
  'source-not-allowed': {
    happened:
      'The source is on this machine or its private network, which the operator does not allow.',
    nextStep: 'Use a public address, or ask the operator to allow local sources.',
    isRetried: false,
  },
  'ref-not-found': {
    happened: 'The repository has no branch, tag or commit of this name.',
    nextStep: 'Check the ref, or push it first.',
    isRetried: false,
  },
  'integration-not-found': {
    happened: 'The integration that the app names does not exist any more.',
    nextStep: 'Choose another one, or none.',
    isRetried: false,
  },
  'integration-elsewhere': {
    happened: 'The integration belongs to another host than the source, and is not used there.',
    nextStep: 'Choose another one, or none.',
    isRetried: false,
  },
  'integration-expired': {
    happened: 'The integration has lost its access.',
    nextStep: 'Connect it again on the integrations page.',
    isRetried: false,
  },
  'host-key-changed': {
    happened: 'The git host showed another key than the one known for it, so nothing was sent.',
    nextStep: 'If its operator changed the key, connect the integration again.',
    isRetried: false,
  },
  'nothing-to-build': {
    happened: 'Nothing in the repository says how to run it.',
    nextStep: 'Add one of the files that were looked for.',
    isRetried: false,
  },
  'start-needs-shell': {
    happened: 'The start command can be read by a shell only, and Longshore starts none.',
    nextStep: 'Put the command into a script, and start that.',
    isRetried: false,
  },
  'toolchain-missing': {
    happened: 'The repository needs a program that is not on this machine.',
    nextStep: 'Install it, or let Longshore use Docker.',
    isRetried: false,
  },
  'build-failed': {
    happened: 'The build job failed.',
    nextStep: 'Mend what the last lines tell, and push or save again.',
    isRetried: false,
  },
  'build-timed-out': {
    happened: 'The build job took too long and was stopped.',
    nextStep: 'See which step hangs, or deploy an image that was built elsewhere.',
    isRetried: false,
  },
  'build-out-of-memory': {
    happened: 'The build job ran out of memory.',
    nextStep: 'Make the build need less, or deploy an image that was built elsewhere.',
    isRetried: false,
  },
  'image-unsupported': {
    happened: 'Container images need Docker, and apps run without it here.',
    nextStep: 'Deploy from a git repository, or ask the operator to start Longshore with Docker.',
    isRetried: false,
  },
  'image-not-found': {
    happened: 'Back-off: the image was not found in its registry.',
    nextStep: 'Check its name and tag.',
    isRetried: false,
  },
  'image-refused': {
    happened: 'Back-off: the registry gave no access to the image.',
    nextStep: 'Check its name; if it is private, choose an integration that may read it.',
    isRetried: false,
  },
  'image-wrong-architecture': {
    happened: 'The image is made for another kind of machine than this one.',
    nextStep: 'Publish it for this machine too, or deploy its repository instead.',
    isRetried: false,
  },
  'registry-unreachable': {
    happened: 'The registry of the image could not be reached. It is tried again by itself.',
    nextStep: 'Check the host in the name of the image if this goes on.',
    isRetried: true,
  },
  'owner-not-allowed': {
    happened:
      'Only the first account may run apps here, because Longshore was not started as root and cannot keep apps of several accounts apart.',
    nextStep: 'Ask the operator to start Longshore as root, or with Docker.',
    isRetried: false,
  },
  'port-never-answered': {
    happened: 'The app started but never answered on its port.',
    nextStep: 'Make it listen on the port in its variable PORT.',
    isRetried: false,
  },
  'listens-elsewhere': {
    happened: 'The app listens on another port than the one it is asked on.',
    nextStep: 'Make it listen on the port in its variable PORT.',
    isRetried: false,
  },
  'listens-on-loopback': {
    happened: 'The app listens only for itself, on 127.0.0.1, where nobody else reaches it.',
    nextStep: 'Make it listen on 0.0.0.0.',
    isRetried: false,
  },
  'start-command-missing': {
    happened: 'The program to start was not found.',
    nextStep: 'Check the start command.',
    isRetried: false,
  },
  'app-exited': {
    happened: 'The app stopped and is started again after a pause.',
    nextStep: 'See what it printed last.',
    isRetried: true,
  },
  'app-killed': {
    happened: 'The app was ended by a signal and is started again after a pause.',
    nextStep: 'See what it printed last, and who may have ended it.',
    isRetried: true,
  },
  'out-of-memory': {
    happened: 'The app used more memory than its limit and is started again after a pause.',
    nextStep: 'Make it use less: many runtimes can be told how much they may take.',
    isRetried: true,
  },
  'crash-loop': {
    happened: 'The app stops again and again. It is started again, later each time.',
    nextStep:
      'See what it printed last. An earlier release, if there is one, can serve meanwhile: roll back.',
    isRetried: true,
  },
  'disk-full': {
    happened: 'The disk of the machine is full. It is tried again by itself.',
    nextStep: 'The operator has to make room.',
    isRetried: true,
  },
  'engine-down': {
    happened: 'Docker does not answer. It is tried again by itself.',
    nextStep: 'The operator has to start Docker if this goes on.',
    isRetried: true,
  },
  'engine-failed': {
    happened: 'Something went wrong on the server. It is tried again by itself.',
    nextStep: 'The operator finds what in the log of the server.',
    isRetried: true,
  },
};

export function isRetried(reason: Reason): boolean {
  return EXPLANATIONS[reason].isRetried;
}
