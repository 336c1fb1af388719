import type { Checkout, Detection, Finding } from './build-plan.ts';
import { type CommandLine, parseCommandLine, type StartCommand } from './command-line.ts';
import { detectGo } from './detect-go.ts';
import { detectNodeApp, detectNodeSite } from './detect-node.ts';
import { detectPython } from './detect-python.ts';
import { detectSite } from './detect-site.ts';

/**
 * In order of precedence. A package.json often only builds the frontend of a program in another language, so it comes
 * after the other languages unless it has something to start.
 */
const DETECTORS = [
  detectNodeApp,
  detectPython,
  detectGo,
  detectNodeSite,
  detectProcfile,
  detectSite,
];

/** Detects how to build and start a checkout. */
export function detect(checkout: Checkout): Detection {
  const web = parseWebCommand(checkout);
  if (web?.kind === 'needs-shell') {
    return {
      kind: 'nothing',
      reason: 'start-needs-shell',
      evidence: [
        `The web line of the Procfile needs a shell, because ${web.because}`,
        'Put the line into a file such as start.sh, and write web: sh start.sh',
      ],
    };
  }
  const lacking: string[] = [];
  for (const detector of DETECTORS) {
    const finding = detector(checkout, web);
    if (finding.kind === 'plan') return finding;
    lacking.push(finding.sentence);
  }
  return { kind: 'nothing', reason: 'nothing-to-build', evidence: [...new Set(lacking), ADVICE] };
}

const ADVICE =
  'Add a start script to package.json, a Procfile with a web line, a Dockerfile for Docker, or an index.html';

function detectProcfile(_: Checkout, web: StartCommand | undefined): Finding {
  if (web === undefined) {
    return { kind: 'lacks', sentence: 'There is no Procfile with a web line' };
  }
  return {
    kind: 'plan',
    plan: {
      runtime: 'procfile',
      evidence: ['Found a Procfile with a web line: starting it without a build'],
      tools: [],
      env: {},
      path: [],
      steps: [],
      start: web,
    },
  };
}

/** The web command of the Procfile; undefined when there is none. */
function parseWebCommand({ texts }: Checkout): CommandLine | undefined {
  const [, line] = /^web:[ \t]*(\S.*)$/m.exec(texts.Procfile ?? '') ?? [];
  return line === undefined ? undefined : parseCommandLine(line);
}
