import { mentionsDiskFull } from '../../engines/disk-full.ts';
import type { Reason } from '../../engines/failure.ts';
import type { BuildStep } from '../build-plan.ts';
import { stepCommand } from '../dockerfile.ts';
import { MISSING_SITE_EXIT_CODE, missingSiteLines } from '../site-folder.ts';
import { imageFailure } from './image-failure.ts';

export type FailedBuild = {
  allowsPrivateNetworks: boolean;
  /** BuildKit's last message. */
  problem: string;
  lastLines: string[];
  /** Of a generated Dockerfile. */
  steps?: readonly BuildStep[] | undefined;
  /** Whether the kernel ended a program of the build. */
  isOutOfMemory: boolean;
};

/** Exit code 137 also means that the kernel ended the program. */
const KILLED = /\bexit code: 137\b/;
/** Some system calls fail in place of the program being ended. */
const NO_MEMORY = /\bcannot allocate memory\b/i;
/** The last step of a site, after its build. */
const MISSING_SITE = new RegExp(
  `\\blink-site-folder\\.ts\\b.* exit code: ${MISSING_SITE_EXIT_CODE}$`,
  's',
);
const EXIT_CODE = /\bexit code: (\d+)$/;

/** `step`: of a generated Dockerfile, the one that failed. */
export type BuildFailure = { reason: Reason; evidence: string[]; step?: BuildStep | undefined };

export function buildFailure(failed: FailedBuild): BuildFailure {
  const { problem, lastLines } = failed;
  const image = imageFailure(problem, failed);
  if (image !== undefined) return { ...image, evidence: [...image.evidence, ...lastLines] };
  if (MISSING_SITE.test(problem)) {
    return { reason: 'output-missing', evidence: missingSiteLines(lastLines) };
  }
  const code = EXIT_CODE.exec(problem)?.[1];
  const step = failedStep(failed);
  const ofCode = step === undefined ? 'Exit code' : `${step.label} failed with exit code`;
  const first = code === undefined ? problem : `${ofCode} ${code}`;
  const evidence = first === '' || lastLines.includes(first) ? lastLines : [first, ...lastLines];
  return { reason: reasonOf(failed), evidence, step };
}

/** BuildKit names the command that failed. */
function failedStep({ problem, steps = [] }: FailedBuild): BuildStep | undefined {
  return steps.find(({ argv, orElse }) =>
    problem.includes(`process "${stepCommand(argv, orElse).join(' ')}" did not`),
  );
}

function reasonOf({ problem, lastLines, isOutOfMemory }: FailedBuild): Reason {
  const output = [problem, ...lastLines].join('\n');
  if (mentionsDiskFull(output)) return 'build-disk-full';
  const isShort = isOutOfMemory || KILLED.test(problem) || NO_MEMORY.test(output);
  return isShort ? 'build-out-of-memory' : 'build-failed';
}
