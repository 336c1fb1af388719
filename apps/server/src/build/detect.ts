import type { Checkout, Detection, Finding } from './build-plan.ts';
import { type CommandLine, parseCommandLine, type StartCommand } from './command-line.ts';
import { detectGo } from './detect-go.ts';
import { detectNodeApp, detectNodeSite } from './detect-node.ts';
import { detectPython } from './detect-python.ts';
import { detectSite } from './detect-site.ts';

/**
 * In the order we look. A package.json often comes with a program in another language, for its pages: unless it starts
 * something itself, the others go first.
 */
const DETECTORS = [
  detectNodeApp,
  detectPython,
  detectGo,
  detectNodeSite,
  detectProcfile,
  detectSite,
];

/** How to build and start a checkout, by the files in it. */
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
      evidence: ['Found a Procfile with a web line: starting it as it is'],
      tools: [],
      env: {},
      path: [],
      steps: [],
      start: web,
    },
  };
}

/** What the checkout's Procfile says about the program that visitors reach; undefined when it says nothing. */
export function parseWebCommand({ texts }: Checkout): CommandLine | undefined {
  const [, line] = /^web:[ \t]*(\S.*)$/m.exec(texts.Procfile ?? '') ?? [];
  return line === undefined ? undefined : parseCommandLine(line);
}
