import type { Fix } from '@longshore/contract';
import type { Reason } from '../engines/failure.ts';
import type { BuildStep } from './build-plan.ts';

/** How Node, Python, Go and other tools say that they could not reach a host. */
const UNREACHED = [
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/,
  /\bhostname: ["']([\w.-]+)["']/,
  /lookup ([\w.-]+)(?: on [\w.:[\]]+)?: (?:no such host|server misbehaving)/,
  /[Cc]ould not resolve host: ([\w.-]+)/,
  /unable to look up ([\w.-]+) \(port \d+\)/,
  /Failed to download https?:\/\/([\w.-]+)/,
  /https?:\/\/([\w.-]+)\S*: fetch failed/,
  /host=["']([\w.-]+)["'].*(?:NameResolutionError|Name or service not known|name resolution)/,
  /Inlining of fonts failed.* https?:\/\/([\w.-]+)/,
];

/** Next.js leaves out the host. The second is what Turbopack says of the files of a font, after its styles were downloaded. */
const GOOGLE_FONTS =
  /Failed to fetch .{1,100} from Google Fonts|turbopack-next\/internal\/font\/google\//;
const GOOGLE_HOSTS = ['fonts.googleapis.com', 'fonts.gstatic.com'];

/** `advice`: what to do, as the last line of the evidence. */
export type StepFailure = { reason: Reason; advice: string[]; fixes: Fix[] };

/** Why a step exited with an error, by its last lines. `host`: one that it could not reach. */
export function stepFailure(
  lines: readonly string[],
  step: BuildStep | undefined,
  host = unreachedHost(lines),
): StepFailure {
  if (host === undefined) {
    const advice = missingProgramAdvice(lines) ?? step?.advice;
    return { reason: 'build-failed', advice: advice === undefined ? [] : [advice], fixes: [] };
  }
  if (step?.downloadsGoogleFonts && GOOGLE_HOSTS.includes(host)) {
    return { reason: 'google-fonts-unreachable', advice: [], fixes: [{ kind: 'fallback-fonts' }] };
  }
  return { reason: 'build-failed', advice: [unreachedAdvice(host)], fixes: [] };
}

/** How shells say that a program is missing. */
const MISSING_PROGRAM =
  /^(?:\/bin\/)?(?:ba|da)?sh: (?:(?:line )?\d+: )?([\w@.-]+): (?:command )?not found$/;

function missingProgramAdvice(lines: readonly string[]): string | undefined {
  const program = lines.map((line) => MISSING_PROGRAM.exec(line)?.[1]).find(Boolean);
  if (program === undefined) return undefined;
  return `The program ${program} is not installed: add the package that contains it to the dependencies of the project, and push`;
}

export function unreachedAdvice(host: string): string {
  return `The build downloads from ${host}, which could not be reached. Redeploy when it can, or put the files that it downloads into the repository`;
}

/** The host that the lines of a step say could not be reached. */
export function unreachedHost(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const text = line.slice(0, 2_000);
    if (GOOGLE_FONTS.test(text)) return GOOGLE_HOSTS[0];
    const host = UNREACHED.map((pattern) => pattern.exec(text)?.[1]).find((it) => it !== undefined);
    if (host !== undefined) return host;
  }
  return undefined;
}
