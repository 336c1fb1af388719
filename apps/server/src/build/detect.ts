import { type BuildSettings, procfileProcesses, type RunSettings } from '@longshore/contract';
import { applySettings } from './apply-settings.ts';
import type { Checkout, Detection, Finding, WebCommand } from './build-plan.ts';
import { detectSite } from './detect-site.ts';
import { detectGo } from './go/detect-go.ts';
import { detectOtherLanguage } from './languages/detect-other-language.ts';
import { detectNodeApp, detectNodeSite, detectSiteBesideScript } from './node/detect-node.ts';
import { withGoogleFonts } from './node/google-fonts.ts';
import { type PlatformFile, platformHints, readPlatformFiles } from './platform-files.ts';
import { detectPython } from './python/detect-python.ts';
import { typedCommand, typedStep } from './typed-command.ts';

/**
 * In order of precedence. A package.json often only builds the frontend of a program in another language, so it comes
 * after the other languages unless it has something to start.
 */
const DETECTORS = [
  detectNodeApp,
  detectSiteBesideScript,
  detectPython,
  detectGo,
  detectOtherLanguage,
  detectNodeSite,
  detectCommand,
  detectSite,
];

/** What the user typed. It replaces what would be detected. */
export type PlanSettings = {
  build?: BuildSettings;
  run?: RunSettings;
  env?: Record<string, string>;
};

/** Detects how to build and start a checkout. */
export function detect(
  checkout: Checkout,
  { build = {}, run = {}, env = {} }: PlanSettings = {},
): Detection {
  const detection = detectBuild(checkout, { build, run });
  if (detection.kind === 'nothing') return detection;
  return { kind: 'plan', plan: withGoogleFonts(detection.plan, checkout, env) };
}

function detectBuild(
  checkout: Checkout,
  { build, run }: Required<Pick<PlanSettings, 'build' | 'run'>>,
): Detection {
  const web = webCommand(checkout, { build, run });
  const own = withSubmodules(detectWith(checkout, web, build), checkout);
  const files = readPlatformFiles(checkout);
  const lines = [...processLines(checkout), ...files.flatMap(platformHints)];
  const hint = web === undefined ? startHint(files) : undefined;
  if (hint === undefined) return withLines(own, lines);
  if (own.kind === 'nothing') return withLines(followHint(checkout, hint, build), lines);
  const { file, start } = hint;
  const line = `${file} has another start command, for a different platform: ${start}`;
  return withLines(own, RUNS_SCRIPT.test(start) ? lines : [line, ...lines]);
}

function processLines({ texts }: Checkout): string[] {
  const names = Object.keys(procfileProcesses(texts.Procfile ?? ''));
  return names.length === 0 ? [] : [`Found other processes in the Procfile: ${names.join(', ')}`];
}

/** A missing submodule is the probable cause of a failed build. */
function withSubmodules(detection: Detection, { missingSubmodules = [] }: Checkout): Detection {
  const [advice] = missingSubmodules;
  if (advice === undefined) return detection;
  if (detection.kind === 'nothing') {
    return { ...detection, evidence: [advice, ...detection.evidence] };
  }
  const { plan } = detection;
  const steps = plan.steps.map((step) => ({ advice, ...step }));
  return { kind: 'plan', plan: { ...plan, steps } };
}

function withLines(detection: Detection, lines: string[]): Detection {
  if (detection.kind === 'nothing') {
    return { ...detection, evidence: [...lines, ...detection.evidence] };
  }
  const { plan } = detection;
  return { kind: 'plan', plan: { ...plan, evidence: [...plan.evidence, ...lines] } };
}

function detectWith(
  checkout: Checkout,
  web: WebCommand | undefined,
  build: BuildSettings,
): Detection {
  const lacking: string[] = [];
  for (const detector of DETECTORS) {
    const finding = detector(checkout, web);
    if (finding.kind === 'plan') return { kind: 'plan', plan: applySettings(finding.plan, build) };
    lacking.push(finding.sentence);
  }
  // What is missing of a language that was found says more than the files of all others.
  const found = lacking.filter((sentence) => !sentence.startsWith('There is no '));
  return { kind: 'nothing', evidence: [...new Set(found.length > 0 ? found : lacking), ADVICE] };
}

const RUNS_SCRIPT = /^(?:npm|pnpm|yarn|bun)\b/;

type StartHint = PlatformFile & { start: string };

function startHint(files: PlatformFile[]): StartHint | undefined {
  return files.find((it): it is StartHint => it.start !== undefined);
}

/** What another platform runs is better than nothing. Its commands belong together. */
function followHint(checkout: Checkout, hint: StartHint, build: BuildSettings): Detection {
  const web = { command: typedCommand(hint.start), from: `a start command in ${hint.file}` };
  const found = detectWith(checkout, web, build);
  if (found.kind === 'nothing' || hint.build === undefined || build.buildCommand !== undefined) {
    return found;
  }
  const { plan } = found;
  const evidence = [...plan.evidence, `Found a build command in ${hint.file}`];
  const steps = [
    ...plan.steps.filter(({ kind }) => kind === 'install'),
    typedStep('build', hint.build),
  ];
  return { kind: 'plan', plan: { ...plan, evidence, steps } };
}

const ADVICE =
  'Add a start script to package.json, a Procfile with a web line, a Dockerfile for Docker, or an index.html; or enter a start command in the settings of the app';

function detectCommand(_: Checkout, web: WebCommand | undefined): Finding {
  if (web === undefined) {
    return { kind: 'lacks', sentence: 'There is no Procfile with a web line' };
  }
  return {
    kind: 'plan',
    plan: {
      runtime: 'procfile',
      evidence: [`Found ${web.from}, and nothing else to build`],
      tools: [],
      env: {},
      path: [],
      steps: [],
      start: web.command,
    },
  };
}

/** Servers of Python for the files of a folder. Ours needs no Python, and is one for production. */
const SERVES_FILES = /^python[23]? -m (?:SimpleHTTPServer|http\.server)(?: \$\{?PORT\}?)?\s*$/;

/** Undefined if neither the settings nor a Procfile say how the app is started. */
function webCommand(
  { files, texts }: Checkout,
  { build, run }: Required<Pick<PlanSettings, 'build' | 'run'>>,
): WebCommand | undefined {
  if (run.command !== undefined) {
    return { command: typedCommand(run.command), from: 'a start command in the settings' };
  }
  if (build.outputDirectory !== undefined) {
    // Replaced by a static site when the settings are applied.
    return { command: typedCommand('true'), from: 'an output directory in the settings' };
  }
  const [, line] = /^web:[ \t]*(\S.*)$/m.exec(texts.Procfile ?? '') ?? [];
  if (line === undefined || (SERVES_FILES.test(line) && files.includes('index.html'))) {
    return undefined;
  }
  return { command: typedCommand(line.trim()), from: 'a Procfile with a web line' };
}
