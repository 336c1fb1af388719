import type { Reason } from './failure.ts';

type Explanation = {
  /**
   * What happened. The console rewords what it reads (spec §4): a failed build says *build* and *job*, and no other
   * sentence may hold both. Names and text of the user's never enter it; they follow as evidence.
   */
  whatHappened: string;
  /** What its owner, or the operator, can do. */
  whatToDo: string;
  /** A transient cause is worth trying again by itself; the others stand until the next edit. */
  isRetried: boolean;
};

/** Every way in which an app can fail to run. */
export const FAILURE_MESSAGES: Record<Reason, Explanation> = {
  'repository-not-found': {
    whatHappened: 'The repository was not found.',
    whatToDo: 'Check the source URL.',
    isRetried: false,
  },
  'repository-refused': {
    whatHappened: 'The repository asks for a sign-in.',
    whatToDo: 'Make it public, or choose a source of an integration that may read it.',
    isRetried: false,
  },
  'repository-unreachable': {
    whatHappened: 'The repository could not be reached. It is tried again by itself.',
    whatToDo: 'Check the host in the source URL if this goes on.',
    isRetried: true,
  },
  'repository-too-large': {
    whatHappened: 'The repository is too large to be fetched.',
    whatToDo: 'Move large files out of it, or deploy a container image.',
    isRetried: false,
  },
  'source-not-allowed': {
    whatHappened:
      'The source is on this machine or its private network, which the operator does not allow.',
    whatToDo: 'Use a public address, or ask the operator to allow local sources.',
    isRetried: false,
  },
  'ref-not-found': {
    whatHappened: 'The repository has no branch, tag or commit of this name.',
    whatToDo: 'Check the ref, or push it first.',
    isRetried: false,
  },
  'integration-not-found': {
    whatHappened: 'The integration that the app names does not exist any more.',
    whatToDo: 'Choose another one, or none.',
    isRetried: false,
  },
  'integration-elsewhere': {
    whatHappened: 'The integration belongs to another host than the source, and is not used there.',
    whatToDo: 'Choose another one, or none.',
    isRetried: false,
  },
  'integration-expired': {
    whatHappened: 'The integration has lost its access.',
    whatToDo: 'Connect it again on the integrations page.',
    isRetried: false,
  },
  'host-key-changed': {
    whatHappened: 'The git host showed another key than the one known for it, so nothing was sent.',
    whatToDo: 'If its operator changed the key, connect the integration again.',
    isRetried: false,
  },
  'nothing-to-build': {
    whatHappened: 'Nothing in the repository says how to run it.',
    whatToDo: 'Add one of the files that were looked for.',
    isRetried: false,
  },
  'start-needs-shell': {
    whatHappened: 'The start command can be read by a shell only, and Longshore starts none.',
    whatToDo: 'Put the command into a script, and start that.',
    isRetried: false,
  },
  'toolchain-missing': {
    whatHappened: 'The repository needs a program that is not on this machine.',
    whatToDo: 'Install it, or let Longshore use Docker.',
    isRetried: false,
  },
  'build-failed': {
    whatHappened: 'The build job failed.',
    whatToDo: 'Mend what the last lines tell, and push or save again.',
    isRetried: false,
  },
  'build-timed-out': {
    whatHappened: 'The build job took too long and was stopped.',
    whatToDo: 'See which step hangs, or deploy an image that was built elsewhere.',
    isRetried: false,
  },
  'build-out-of-memory': {
    whatHappened: 'The build job ran out of memory.',
    whatToDo: 'Make the build need less, or deploy an image that was built elsewhere.',
    isRetried: false,
  },
  'image-unsupported': {
    whatHappened: 'Container images need Docker, and apps run without it here.',
    whatToDo: 'Deploy from a git repository, or ask the operator to start Longshore with Docker.',
    isRetried: false,
  },
  'image-not-found': {
    whatHappened: 'Back-off: the image was not found in its registry.',
    whatToDo: 'Check its name and tag.',
    isRetried: false,
  },
  'image-refused': {
    whatHappened: 'Back-off: the registry gave no access to the image.',
    whatToDo: 'Check its name; if it is private, choose an integration that may read it.',
    isRetried: false,
  },
  'image-wrong-architecture': {
    whatHappened: 'The image is made for another kind of machine than this one.',
    whatToDo: 'Publish it for this machine too, or deploy its repository instead.',
    isRetried: false,
  },
  'registry-unreachable': {
    whatHappened: 'The registry of the image could not be reached. It is tried again by itself.',
    whatToDo: 'Check the host in the name of the image if this goes on.',
    isRetried: true,
  },
  'owner-not-allowed': {
    whatHappened:
      'Only the first account may run apps here, because Longshore was not started as root and cannot keep apps of several accounts apart.',
    whatToDo: 'Ask the operator to start Longshore as root, or with Docker.',
    isRetried: false,
  },
  'port-never-answered': {
    whatHappened: 'The app started but never answered on its port.',
    whatToDo: 'Make it listen on the port in its variable PORT.',
    isRetried: false,
  },
  'listens-elsewhere': {
    whatHappened: 'The app listens on another port than the one it is asked on.',
    whatToDo: 'Make it listen on the port in its variable PORT.',
    isRetried: false,
  },
  'listens-on-loopback': {
    whatHappened: 'The app listens only for itself, on 127.0.0.1, where nobody else reaches it.',
    whatToDo: 'Make it listen on 0.0.0.0.',
    isRetried: false,
  },
  'start-command-missing': {
    whatHappened: 'The program to start was not found.',
    whatToDo: 'Check the start command.',
    isRetried: false,
  },
  'app-exited': {
    whatHappened: 'The app stopped and is started again after a pause.',
    whatToDo: 'See what it printed last.',
    isRetried: true,
  },
  'app-killed': {
    whatHappened: 'The app was ended by a signal and is started again after a pause.',
    whatToDo: 'See what it printed last, and who may have ended it.',
    isRetried: true,
  },
  'out-of-memory': {
    whatHappened: 'The app used more memory than its limit and is started again after a pause.',
    whatToDo: 'Make it use less: many runtimes can be told how much they may take.',
    isRetried: true,
  },
  'crash-loop': {
    whatHappened: 'The app stops again and again. It is started again, later each time.',
    whatToDo:
      'See what it printed last. An earlier release, if there is one, can serve meanwhile: roll back.',
    isRetried: true,
  },
  'disk-full': {
    whatHappened: 'The disk of the machine is full. It is tried again by itself.',
    whatToDo: 'The operator has to make room.',
    isRetried: true,
  },
  'engine-down': {
    whatHappened: 'Docker does not answer. It is tried again by itself.',
    whatToDo: 'The operator has to start Docker if this goes on.',
    isRetried: true,
  },
  'engine-failed': {
    whatHappened: 'Something went wrong on the server. It is tried again by itself.',
    whatToDo: 'The operator finds what in the log of the server.',
    isRetried: true,
  },
};

export function isRetried(reason: Reason): boolean {
  return FAILURE_MESSAGES[reason].isRetried;
}
