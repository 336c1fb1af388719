import type { Reason } from './failure.ts';

type FailureMessage = {
  /**
   * What happened, shown as the headline. The console replaces headlines that contain certain words (spec-map 4.2.9 and
   * 4.2.10), so the headline of a failed build contains *build* and *job*, and no other headline contains both. Names and
   * texts of users are never part of it; they follow as evidence.
   */
  whatHappened: string;
  /** What the owner or the operator can do. */
  whatToDo: string;
  /** Whether the reconciler retries. Other failures stay until the next edit or push. */
  isRetried: boolean;
};

/** The message of every reason why an app does not run. */
export const FAILURE_MESSAGES: Record<Reason, FailureMessage> = {
  'repository-not-found': {
    whatHappened: 'The repository was not found.',
    whatToDo: 'Check the source URL.',
    isRetried: false,
  },
  'repository-refused': {
    whatHappened: 'The repository requires authentication.',
    whatToDo: 'Make it public, or select an integration that has access to it.',
    isRetried: false,
  },
  'repository-unreachable': {
    whatHappened: 'The repository could not be reached. Retrying automatically.',
    whatToDo: 'If this persists, check the host in the source URL.',
    isRetried: true,
  },
  'repository-too-large': {
    whatHappened: 'The repository is too large.',
    whatToDo: 'Move large files out of it, or deploy a container image.',
    isRetried: false,
  },
  'repository-invalid': {
    whatHappened: 'Git refuses the content of the repository.',
    whatToDo: 'Run git fsck in a new clone, and fix the errors that it reports.',
    isRetried: false,
  },
  'repository-damaged': {
    whatHappened: 'The repository is damaged on its host.',
    whatToDo: 'Run git fsck there, and restore the objects that it reports from another clone.',
    isRetried: false,
  },
  'source-not-allowed': {
    whatHappened:
      'The source is on this machine or in its private network, which the operator does not allow.',
    whatToDo: 'Use a public address, or ask the operator to allow local sources.',
    isRetried: false,
  },
  'ref-not-found': {
    whatHappened: 'The branch, tag or commit was not found in the repository.',
    whatToDo: 'Check the ref, or push it first.',
    isRetried: false,
  },
  'upload-missing': {
    whatHappened: 'The source code of this app is not uploaded.',
    whatToDo: 'Upload it: the settings of the app show the command.',
    isRetried: false,
  },
  'integration-not-found': {
    whatHappened: 'The integration of this app no longer exists.',
    whatToDo: 'Select another integration, or none.',
    isRetried: false,
  },
  'integration-elsewhere': {
    whatHappened: 'The integration belongs to a different host than the source.',
    whatToDo: 'Select an integration for the host of the source, or none.',
    isRetried: false,
  },
  'integration-expired': {
    whatHappened: 'The integration has lost its access.',
    whatToDo: 'Reconnect it on the integrations page.',
    isRetried: false,
  },
  'host-key-changed': {
    whatHappened: 'The SSH host key of the git host has changed, so the connection was refused.',
    whatToDo: 'If its operator changed the key, reconnect the integration.',
    isRetried: false,
  },
  'root-directory-missing': {
    whatHappened: 'The root directory of the app does not exist.',
    whatToDo:
      'Change it in the settings of the app, or clear it to use the top folder of the source code.',
    isRetried: false,
  },
  'nothing-to-build': {
    whatHappened: 'The source code contains no project that can be deployed.',
    whatToDo: 'Add what is missing below, or set the root directory or a start command.',
    isRetried: false,
  },
  'no-app-at-root': {
    whatHappened: 'The source code has no app in its top folder, but in folders below it.',
    whatToDo: 'Set the root directory to the folder of the app.',
    isRetried: false,
  },
  'start-needs-shell': {
    whatHappened: 'The start command needs a shell, but Longshore runs commands without one.',
    whatToDo: 'Move the command into a script, and start the script.',
    isRetried: false,
  },
  'toolchain-missing': {
    whatHappened: 'The build needs a program that is not installed on this machine.',
    whatToDo: 'Ask the operator to install it, or to run Longshore with Docker.',
    isRetried: false,
  },
  'build-failed': {
    whatHappened: 'The build job failed.',
    whatToDo: 'Fix the error below, then push or redeploy.',
    isRetried: false,
  },
  'google-fonts-unreachable': {
    whatHappened: 'The build could not download Google Fonts.',
    whatToDo:
      'Redeploy when fonts.googleapis.com can be reached, or set the variable LONGSHORE_GOOGLE_FONTS to fallback to build with fallback fonts.',
    isRetried: false,
  },
  'output-missing': {
    whatHappened: 'The build succeeded, but wrote no pages to the usual folders.',
    whatToDo: 'Enter the output directory in the settings of the app.',
    isRetried: false,
  },
  'build-timed-out': {
    whatHappened: 'The build job timed out.',
    whatToDo: 'Check which step hangs, or deploy an image that was built elsewhere.',
    isRetried: false,
  },
  'build-out-of-memory': {
    whatHappened: 'The build job ran out of memory.',
    whatToDo: 'Enter a build command that does less, such as one without type checks.',
    isRetried: false,
  },
  'build-disk-full': {
    whatHappened: 'The build job ran out of disk space.',
    whatToDo: 'Reduce what the build writes, or deploy an image that was built elsewhere.',
    isRetried: false,
  },
  'builder-image-missing': {
    whatHappened: 'The image of the builder could not be pulled. Retrying automatically.',
    whatToDo: 'Ask the operator to check LONGSHORE_BUILDER_IMAGE.',
    isRetried: true,
  },
  'image-too-large': {
    whatHappened: 'The image is too large.',
    whatToDo: 'Leave out what the app does not need, for example with a smaller base image.',
    isRetried: false,
  },
  'image-unsupported': {
    whatHappened: 'Container images need Docker, but this server runs apps without it.',
    whatToDo: 'Deploy from a git repository, or ask the operator to run Longshore with Docker.',
    isRetried: false,
  },
  'image-not-found': {
    whatHappened: 'Back-off: the image was not found in its registry.',
    whatToDo: 'Check its name and tag.',
    isRetried: false,
  },
  'image-refused': {
    whatHappened: 'Back-off: the registry denied access to the image.',
    whatToDo: 'Check its name. If it is private, select an integration that has access to it.',
    isRetried: false,
  },
  'image-wrong-architecture': {
    whatHappened: 'The image is made for a different CPU architecture.',
    whatToDo: 'Publish it for the architecture of this machine, or deploy its repository instead.',
    isRetried: false,
  },
  'registry-unreachable': {
    whatHappened: 'The registry of the image could not be reached. Retrying automatically.',
    whatToDo: 'If this persists, check the registry host in the image name.',
    isRetried: true,
  },
  'owner-not-allowed': {
    whatHappened:
      'Only operators may deploy here, because this server cannot isolate the apps of several accounts.',
    whatToDo: 'Ask the operator to fix what is missing, or to set LONGSHORE_TRUST_EVERYBODY=true.',
    isRetried: false,
  },
  'reference-not-found': {
    whatHappened: 'A variable refers to something that cannot be found.',
    whatToDo: 'Change the variable, or create what it names, then redeploy.',
    isRetried: false,
  },
  'release-command-failed': {
    whatHappened: 'The release command failed.',
    whatToDo: 'Fix the error below, then push or redeploy, or change the release command.',
    isRetried: false,
  },
  'release-command-timed-out': {
    whatHappened: 'The release command timed out.',
    whatToDo: 'Check what it waits for, for example a lock of the database. Then push or redeploy.',
    isRetried: false,
  },
  'port-never-answered': {
    whatHappened: 'The app started but does not accept connections on its port.',
    whatToDo: 'Make it listen on the port in its PORT variable.',
    isRetried: false,
  },
  'listens-elsewhere': {
    whatHappened: 'The app listens on a different port than the configured one.',
    whatToDo: 'Change the port of the app, or make it listen on the port in its PORT variable.',
    isRetried: false,
  },
  'listens-on-loopback': {
    whatHappened: 'The app listens only on 127.0.0.1, where it cannot be reached.',
    whatToDo: 'Make it listen on 0.0.0.0.',
    isRetried: false,
  },
  'health-check-failed': {
    whatHappened: 'The app accepts connections but does not pass its health check.',
    whatToDo: 'Make it pass the check below, or change the health check in the settings.',
    isRetried: false,
  },
  'release-unhealthy': {
    whatHappened: 'The release became unhealthy soon after it went live, and was rolled back.',
    whatToDo: 'Fix what the check below found, then push or redeploy.',
    isRetried: false,
  },
  'start-command-missing': {
    whatHappened: 'The start command was not found, or may not be executed.',
    whatToDo: 'Check the start command. A script that it starts must be executable (chmod +x).',
    isRetried: false,
  },
  'app-exited': {
    whatHappened: 'The app crashed. Restarting…',
    whatToDo: 'Check the log lines below.',
    isRetried: true,
  },
  'app-killed': {
    whatHappened: 'The app was killed by a signal. Restarting…',
    whatToDo: 'Check the log lines below, and what may have sent the signal.',
    isRetried: true,
  },
  'out-of-memory': {
    whatHappened: 'The app exceeded its memory limit. Restarting…',
    whatToDo:
      'Choose a larger size, or reduce its memory usage: many runtimes have an option to limit it.',
    isRetried: true,
  },
  'crash-loop': {
    whatHappened: 'Crash loop: the app keeps exiting. Restarting with increasing delays.',
    whatToDo: 'Check the log lines below. If an earlier release worked, roll back to it.',
    isRetried: true,
  },
  'process-crashed': {
    whatHappened: 'A process of the app crashed. Restarting it…',
    whatToDo: 'Check the log lines below.',
    isRetried: true,
  },
  'process-over-quota': {
    whatHappened: 'The processes of the app need more than your account may use.',
    whatToDo:
      'Set their instances to 0 in Settings, hibernate or delete an app, or ask the operator for a higher limit.',
    isRetried: true,
  },
  'disk-full': {
    whatHappened: 'The disk of the machine is full. Retrying automatically.',
    whatToDo: 'The operator must free disk space.',
    isRetried: true,
  },
  'app-disk-full': {
    whatHappened: 'The disk of the app is full.',
    whatToDo:
      'Make the app or its build write fewer files. A redeploy frees the temporary files of earlier ones.',
    isRetried: false,
  },
  'disk-quota-reached': {
    whatHappened: 'The disk space of your account is used up.',
    whatToDo:
      'Delete an app that you no longer need, or ask the operator for more disk space. Then redeploy.',
    isRetried: false,
  },
  'no-room': {
    whatHappened: 'No node of the cluster has room for the app. Retrying automatically.',
    whatToDo: 'Choose a smaller size, or ask the operator to add a node.',
    isRetried: true,
  },
  'cluster-quota-reached': {
    whatHappened: 'The quota of the project in the cluster is used up. Retrying automatically.',
    whatToDo:
      'Hibernate or remove other apps of the project, choose a smaller size, or ask the operator to raise the quota.',
    isRetried: true,
  },
  'not-offered': {
    whatHappened: 'This server runs apps on Kubernetes, where this is not set up.',
    whatToDo: 'Deploy a container image, or ask the operator to set up what is named below.',
    isRetried: false,
  },
  'cluster-down': {
    whatHappened: 'The Kubernetes cluster is not responding. Retrying automatically.',
    whatToDo: 'If this persists, the operator must check the cluster.',
    isRetried: true,
  },
  'engine-down': {
    whatHappened: 'Docker is not responding. Retrying automatically.',
    whatToDo: 'If this persists, the operator must start Docker.',
    isRetried: true,
  },
  'engine-failed': {
    whatHappened: 'An unexpected server error occurred. Retrying automatically.',
    whatToDo: 'The operator can find the cause in the server log.',
    isRetried: true,
  },
};

export function isRetried(reason: Reason): boolean {
  return FAILURE_MESSAGES[reason].isRetried;
}
