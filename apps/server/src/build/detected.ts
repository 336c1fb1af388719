import { type BuildSettings, type Detected, procfileProcesses } from '@longshore/contract';
import type { BuildPlan, Checkout, StartPlan } from './build-plan.ts';
import { detect } from './detect.ts';
import { exampleVariables } from './example-variables.ts';
import { readVariables } from './python/read-variables.ts';
import { summaryOf } from './summary.ts';
import { commandText } from './typed-command.ts';

/**
 * What is shown of a plan: what it was made of, and the commands that are used where nothing is typed, even if something
 * is typed now.
 */
export function detectedOf(plan: BuildPlan, checkout: Checkout): Detected {
  const detection = detect(checkout);
  const found = detection.kind === 'plan' ? detection.plan : undefined;
  return {
    summary: summaryOf(found ?? plan),
    ...(found === undefined ? {} : commandsOf(found)),
    ...processesOf(checkout),
    ...variablesOf(checkout),
  };
}

/** What the Procfile runs besides `web`. */
function processesOf({ texts }: Checkout): Pick<Detected, 'processes'> {
  const processes = procfileProcesses(texts.Procfile ?? '');
  return Object.keys(processes).length === 0 ? {} : { processes };
}

/** Of a project that its own Dockerfile builds. Its Procfile is for another platform. */
export function detectedDockerfile(dockerfile: string, checkout: Checkout): Detected {
  return { summary: 'Dockerfile', dockerfile, ...variablesOf(checkout) };
}

function variablesOf(checkout: Checkout): Pick<Detected, 'variables' | 'readVariables'> {
  const read = readVariables(checkout);
  const variables = exampleVariables(checkout);
  return read.length === 0 ? { variables } : { variables, readVariables: read };
}

function commandsOf({ steps, start, versions }: BuildPlan): Detected {
  const textOf = (kind: 'install' | 'build') =>
    steps
      .filter((step) => step.kind === kind && step.inputs?.length !== 0)
      .filter(({ argv }) => !argv.some(isScript))
      .map(({ argv }) => commandText(argv))
      .join(' && ');
  return filled({
    installCommand: textOf('install'),
    buildCommand: textOf('build'),
    ...startOf(start),
    versions: versions ?? {},
  });
}

/** Programs that are written into a command, which nobody would type. */
function isScript(word: string): boolean {
  return word.includes('\n') || word === '-e';
}

function startOf(start: StartPlan): Detected {
  if (start.kind === 'command') return { startCommand: commandText(start.argv) };
  const [folder] = start.folders;
  return start.folders.length === 1 && folder !== undefined ? { outputDirectory: folder } : {};
}

function filled({ versions, ...texts }: Detected & Pick<BuildSettings, 'versions'>): Detected {
  const set = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  return { ...set, ...(Object.keys(versions ?? {}).length === 0 ? {} : { versions }) };
}
