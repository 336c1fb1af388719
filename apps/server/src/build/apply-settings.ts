import type { BuildSettings } from '@longshore/contract';
import type { BuildPlan, BuildStep } from './build-plan.ts';
import { typedStep } from './typed-command.ts';

/** Replaces the parts of a detected plan for which the user typed something else. */
export function applySettings(plan: BuildPlan, settings: BuildSettings): BuildPlan {
  const { installCommand, buildCommand, outputDirectory } = settings;
  const install = plan.steps.filter((step) => step.kind === 'install' && !isSetUp(step));
  const build = plan.steps
    .filter(({ kind }) => kind === 'build')
    .map(installCommand === undefined ? (step) => step : withoutAdviceOf(install));
  const steps = [
    ...plan.steps.filter(isSetUp),
    ...(installCommand === undefined ? install : [typedStep('install', installCommand)]),
    ...(buildCommand === undefined ? build : [typedStep('build', buildCommand)]),
  ];
  const typed = [
    ...(installCommand === undefined ? [] : ['an install command']),
    ...(buildCommand === undefined ? [] : ['a build command']),
  ];
  const evidence = typed.map((what) => `Found ${what} in the settings`);
  return {
    ...plan,
    evidence: [...plan.evidence, ...evidence],
    steps: typed.length === 0 ? plan.steps : steps,
    ...(settings.versions === undefined
      ? {}
      : { versions: { ...plan.versions, ...settings.versions } }),
    ...(outputDirectory === undefined
      ? {}
      : { runtime: 'static', start: { kind: 'static', folders: [outputDirectory] } }),
  };
}

/** Tools are installed without reading anything of the checkout. */
function isSetUp({ kind, inputs }: BuildStep): boolean {
  return kind === 'install' && inputs?.length === 0;
}

/** What to enter instead of the detected install, for which something is entered already. */
function withoutAdviceOf(install: BuildStep[]): (step: BuildStep) => BuildStep {
  return ({ advice, ...step }) =>
    advice === undefined || install.some((it) => it.advice === advice) ? step : { advice, ...step };
}
