import type { Argv, Checkout, Finding, StartPlan, WebCommand } from '../build-plan.ts';
import { type GoProgram, goPrograms, mainProgram } from './go-programs.ts';

/** The output folder of go build, as on Heroku, so that existing Procfiles work. */
const BINARIES = 'bin';
/** Modules that do nothing without their C code. */
const NEEDS_C =
  /^\s*(?:require\s+)?github\.com\/(?:mattn\/go-sqlite3|mutecomm\/go-sqlcipher|marcboeker\/go-duckdb|confluentinc\/confluent-kafka-go)(?:\/v\d+)?\s/m;

const NO_MODULE = 'The Go files have no go.mod: run go mod init and go mod tidy, and push it';
const SHOWN_PROGRAMS = 5;
/** How the sentence begins that asks for one of several programs. */
export const SEVERAL_PROGRAMS =
  'go.mod has several programs: enter the start command of one of them';

/** A Go module with a program. */
export function detectGo(checkout: Checkout, web: WebCommand | undefined): Finding {
  const { files, texts } = checkout;
  const module = texts['go.mod'];
  if (module === undefined) {
    const isGo = files.some((file) => /^[^/]+\.go$/.test(file));
    return { kind: 'lacks', sentence: isGo ? NO_MODULE : 'There is no go.mod' };
  }
  const programs = goPrograms(checkout);
  const program = mainProgram(checkout, programs, web?.command.argv);
  if (program === undefined) return { kind: 'lacks', sentence: choice(programs) };
  const output = `${BINARIES}/${program.name}`;
  const options = ['-trimpath', '-buildvcs=false', '-o', output];
  const build: Argv = ['go', 'build', ...options, program.source];
  const isSelfContained = !/=>\s*\.{0,2}\//.test(module) && !files.includes('go.work');
  const inputs = ['go.mod', 'go.sum'].filter((file) => files.includes(file));
  const start: StartPlan = web?.command ?? { kind: 'command', argv: [`./${output}`], env: {} };
  const [, version] = /^go\s+(\d+\.\d+(?:\.\d+)?)/m.exec(module) ?? [];
  return {
    kind: 'plan',
    plan: {
      runtime: 'go',
      evidence: [
        `Found go.mod: building ${program.source} to ${output}`,
        ...(web === undefined ? [] : [`Found ${web.from}`]),
      ],
      tools: ['go'],
      ...(version === undefined ? {} : { versions: { go: version } }),
      // A module may ask for a newer Go than the installed one, which then downloads it.
      env: { CGO_ENABLED: NEEDS_C.test(module) ? '1' : '0', GOTOOLCHAIN: 'auto' },
      path: [BINARIES],
      steps: [
        {
          kind: 'install',
          label: 'go mod download',
          argv: ['go', 'mod', 'download'],
          ...(isSelfContained ? { inputs } : {}),
        },
        { kind: 'build', label: 'go build', argv: build },
      ],
      start,
    },
  };
}

function choice(programs: GoProgram[]): string {
  if (programs.length === 0) {
    return 'go.mod has no package main beside it, in cmd or in another folder, so there is no program to start';
  }
  const commands = programs.map(({ name }) => `./${BINARIES}/${name}`).slice(0, SHOWN_PROGRAMS);
  const others = programs.length - commands.length;
  const named = others === 0 ? commands : [...commands, `one of ${others} others`];
  return `${SEVERAL_PROGRAMS}, ${named.join(' or ')}`;
}
