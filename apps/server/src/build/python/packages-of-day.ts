import type { Argv, BuildPlan, BuildStep } from '../build-plan.ts';
import { commandText } from '../typed-command.ts';
import { INSTALL_UV, UV_ENV } from './python-install.ts';

export type InstallingPython = {
  version: string;
  /** Whether pip has settings that may name other indexes than pypi.org. */
  isPipConfigured: boolean;
};

/**
 * Installs the packages of the day of the commit (decision 116), or of the day on which packages knew this Python, if that is
 * later (decision 128). uv leaves out what is newer, and what would have to be compiled; if that fails, the install of the plan runs.
 * Where pip has settings of its own, which uv does not read, only pip installs: a package of a private index may have the name of
 * another one on pypi.org.
 */
export function withPackagesOfDay(
  plan: BuildPlan,
  { version, isPipConfigured }: InstallingPython,
): BuildPlan {
  const install = plan.steps.find((step) => step.packagesBefore !== undefined);
  const ofCommit = install?.packagesBefore;
  if (install === undefined || ofCommit === undefined) return plan;
  if (isPipConfigured && install.argv[0] !== 'uv') return plan;
  const known = knownSince(version);
  const [before, why] =
    ofCommit < known
      ? [known, `when packages knew Python ${version}`]
      : [ofCommit, 'the day after the commit'];
  const sentence = `Installing packages from before ${before}, ${why}: for the newest ones, enter the install command ${commandText(install.argv)}`;
  const hasUv = plan.steps.some(({ argv }) => argv[0] === 'uv');
  return {
    ...plan,
    evidence: [...plan.evidence, sentence],
    env: { ...UV_ENV, ...plan.env },
    steps: plan.steps.flatMap((step) => {
      if (step.packagesBefore === undefined) return [step];
      // It must not keep the install of the plan from running.
      return [
        ...(hasUv ? [] : [{ ...INSTALL_UV, orElse: [['true'] as const] }]),
        ofDay(step, before),
      ];
    }),
  };
}

/** In a file of pip, other settings do not decide which packages are installed. */
const INDEX_SETTING = /^\s*(?:(?:extra[-_])?index[-_]url|no[-_]index|find[-_]links)\s*[=:]/m;

/** Whether variables, or the text of a pip.conf, tell pip where packages are. */
export function configuresPip(variables: Record<string, string>, file = ''): boolean {
  return Object.keys(variables).some((name) => name.startsWith('PIP_')) || INDEX_SETTING.test(file);
}

function ofDay(step: BuildStep, before: string): BuildStep {
  const packages = step.argv.slice(step.argv.indexOf('install') + 1);
  const argv: Argv = [
    ...(['uv', 'pip', 'install', '--exclude-newer', `${before}T00:00:00Z`] as const),
    ...['--only-binary', ':all:'],
    ...packages,
  ];
  return { ...step, label: argv.join(' '), argv, orElse: [step.argv, ...(step.orElse ?? [])] };
}

/** Half a year after this version was published: every October since 3.9, in 2020. Packages with binaries for it need months. */
function knownSince(version: string): string {
  const minor = Number(version.split('.')[1] ?? 0);
  return `${2012 + minor}-04-30`;
}
