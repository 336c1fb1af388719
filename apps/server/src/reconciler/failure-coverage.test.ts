import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Reason } from '../engines/failure.ts';

/** A test that provokes a failure on a real engine: its file and a part of its title. */
type Fixture = [file: string, title: string];

const PROCESS = 'process/failure-messages.test.ts';
const PROCESS_BUILDS = 'process/engine-failures.test.ts';
const NOT_ISOLATED = 'process/not-isolated.test.ts';
const LIMITS = 'process/engine-limits.test.ts';
const DISK_LIMITS = 'process/engine-disk-limits.test.ts';
const TOOLCHAINS = 'process/engine-toolchains.test.ts';
const REFERENCES = '../apps/references.test.ts';
const HEALTH = '../../test/health-checks.ts';
const HOSTILE = '../build/hostile-source.test.ts';
const DOCKER = 'docker/failure-messages.docker.test.ts';
const BUILDERS = 'docker/builder/builder-limits.docker.test.ts';
const KUBERNETES = 'kubernetes/failure-messages.kubernetes.test.ts';
const KUBERNETES_BUILDS = 'kubernetes/builds.kubernetes.test.ts';
const IMAGES = 'docker/images.docker.test.ts';

/** The tests for each reason, on every engine where it can occur. */
const FIXTURES: Record<Exclude<Reason, TestedElsewhere>, Fixture[]> = {
  'repository-not-found': [[PROCESS, 'when the host responds with status %i']],
  'repository-refused': [[PROCESS, 'when the host responds with status %i']],
  'repository-unreachable': [[PROCESS, 'when the host responds with status %i']],
  'repository-too-large': [[PROCESS_BUILDS, 'fails with repository-too-large before it unpacks']],
  'repository-invalid': [[HOSTILE, 'refuses a file in .git with repository-invalid']],
  'repository-damaged': [[PROCESS_BUILDS, 'fails with repository-damaged']],
  'source-not-allowed': [
    [PROCESS_BUILDS, 'fails with source-not-allowed for the data directory of the server'],
    [IMAGES, 'refuses a registry in a private network'],
  ],
  'ref-not-found': [[PROCESS_BUILDS, 'fails with ref-not-found for a missing ref']],
  'upload-missing': [
    [PROCESS_BUILDS, 'fails with upload-missing for %s'],
    [DOCKER, 'upload-missing of an app without an archive'],
  ],
  'root-directory-missing': [
    [PROCESS_BUILDS, 'fails with root-directory-missing for %s'],
    [DOCKER, 'root-directory-missing of a folder that the repository lacks'],
  ],
  'nothing-to-build': [
    [PROCESS_BUILDS, 'fails with %s and the evidence %s'],
    [DOCKER, 'nothing-to-build of a repository without an app'],
  ],
  'no-app-at-root': [
    [PROCESS_BUILDS, 'fails with no-app-at-root'],
    [DOCKER, 'no-app-at-root of a repository with apps in folders'],
  ],
  'toolchain-missing': [[TOOLCHAINS, 'explains how to install %s when it is missing']],
  'build-failed': [
    [PROCESS_BUILDS, 'fails with %s and the evidence %s'],
    [DOCKER, 'build-failed of a build that fails'],
  ],
  'google-fonts-unreachable': [[PROCESS_BUILDS, 'fails with google-fonts-unreachable']],
  'output-missing': [
    [PROCESS_BUILDS, 'fails with %s and the evidence %s'],
    [DOCKER, 'output-missing of a build that writes no pages'],
  ],
  'build-timed-out': [
    [PROCESS_BUILDS, 'fails with build-timed-out and stops the step'],
    [DOCKER, 'build-timed-out of a build that hangs'],
  ],
  'build-out-of-memory': [
    [LIMITS, 'limit the memory of a build'],
    [DOCKER, 'build-out-of-memory of a build without a Dockerfile'],
    [DOCKER, 'build-out-of-memory of a BuildKit step that the kernel kills'],
  ],
  'build-disk-full': [[BUILDERS, 'build-disk-full']],
  'builder-image-missing': [[BUILDERS, 'builder-image-missing']],
  'image-too-large': [[BUILDERS, 'image-too-large']],
  'image-unsupported': [[PROCESS, 'image-unsupported, also in the build log']],
  'image-not-found': [
    [IMAGES, 'fails with image-not-found for %s'],
    [KUBERNETES, 'image-not-found of an image that was removed after its build'],
  ],
  'image-refused': [
    [IMAGES, 'fails with image-refused when the registry requires authentication'],
    [KUBERNETES, 'image-refused of an image that its registry refuses to nodes'],
  ],
  'image-wrong-architecture': [[IMAGES, 'fails with image-wrong-architecture']],
  'registry-unreachable': [
    [IMAGES, 'fails with registry-unreachable when the registry does not respond'],
    [KUBERNETES, 'registry-unreachable of an image whose registry does not respond to nodes'],
  ],
  'owner-not-allowed': [[NOT_ISOLATED, 'refuses a first and a new release with owner-not-allowed']],
  'reference-not-found': [[REFERENCES, 'fails with reference-not-found']],
  'release-command-failed': [
    [PROCESS, 'of a release command that fails'],
    [DOCKER, 'of a release command that fails'],
    [KUBERNETES, 'of a release command that fails'],
  ],
  'port-never-answered': [
    [PROCESS, 'of an app that does not listen'],
    [DOCKER, 'of an app that does not listen'],
    [KUBERNETES, 'of an app that does not listen'],
  ],
  'listens-elsewhere': [
    [PROCESS, 'of an app that listens on another port'],
    [DOCKER, 'of an app that listens on another port'],
    [KUBERNETES, 'of an app that listens on another port'],
  ],
  'listens-on-loopback': [[DOCKER, 'of an app that listens only on loopback']],
  'health-check-failed': [[HEALTH, 'fails with health-check-failed']],
  'release-unhealthy': [[HEALTH, 'fails with release-unhealthy']],
  'start-command-missing': [
    [PROCESS, 'of a missing program'],
    [DOCKER, 'start-command-missing of a program %s'],
    [KUBERNETES, 'start-command-missing of a command that the image lacks'],
  ],
  'app-exited': [
    [PROCESS, 'of an app that exits at once'],
    [DOCKER, 'of an app that exits at once'],
    [KUBERNETES, 'of an app that exits at once'],
  ],
  'app-killed': [
    [PROCESS, 'of an app that is killed'],
    [DOCKER, 'app-killed of an app that is killed'],
    [KUBERNETES, 'app-killed of an app that is killed'],
  ],
  'out-of-memory': [
    [LIMITS, 'distinguish an instance that ran out of memory from one that was killed'],
    [DOCKER, 'out-of-memory of an app over its memory limit'],
    [KUBERNETES, 'of an app over its memory limit'],
  ],
  'crash-loop': [
    [PROCESS, 'of an app in a crash loop'],
    [DOCKER, 'of an app in a crash loop'],
    [KUBERNETES, 'of an app in a crash loop'],
  ],
  'disk-full': [
    [PROCESS, 'the status message reports disk-full %s'],
    [DOCKER, 'disk-full of a build, and the app runs once space is free'],
    [DOCKER, 'disk-full of a pull, and the app runs once space is free'],
  ],
  'app-disk-full': [[DISK_LIMITS, 'end a build that fills the disk of its app']],
  'no-room': [[KUBERNETES, 'no-room of an app that fits on no node']],
  'cluster-quota-reached': [[KUBERNETES, 'cluster-quota-reached of an app over a quota']],
  'not-offered': [[KUBERNETES_BUILDS, 'not-offered without a registry']],
  'cluster-down': [[KUBERNETES, 'cluster-down while the API server does not respond']],
  'engine-down': [[DOCKER, 'engine-down of every app while Docker is down']],
};

/**
 * A start that needs a shell failed only in older versions. Failures of integrations are tested in `connect/`, and a quota that is used up in `pass-owner-limits.test.ts`, a release command that times out in
 * `pass-release-command.test.ts`, failures of processes in `pass-processes.test.ts`; an unexpected
 * failure cannot be provoked.
 */
type TestedElsewhere =
  | 'start-needs-shell'
  | 'integration-not-found'
  | 'integration-elsewhere'
  | 'integration-expired'
  | 'host-key-changed'
  | 'disk-quota-reached'
  | 'process-crashed'
  | 'process-over-quota'
  | 'release-command-timed-out'
  | 'engine-failed';

const CASES = Object.entries(FIXTURES).flatMap(([reason, fixtures]) =>
  fixtures.map(([file, title]) => ({ reason, file, title })),
);

it.each(CASES)('$reason is provoked in $file: $title', async ({ reason, file, title }) => {
  const text = await readFile(join(import.meta.dirname, '../engines', file), 'utf8');
  expect(text).toContain(title);
  expect(text).toContain(reason);
});
