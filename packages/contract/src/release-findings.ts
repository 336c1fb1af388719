import { repositoryPathProblem, type VersionedRuntime } from './build-settings.ts';
import { envKeyProblem } from './env-key.ts';
import { portProblem } from './port.ts';
import { isRecord } from './type-guards.ts';

/** A change of the settings that probably solves a failure. The user decides about it. */
export type Fix =
  /** Deploys another folder of the repository. `evidence`: what was found in it. */
  | { kind: 'root-directory'; folder: string; evidence: string }
  /** Asks for a variable that the app needs. `source`: where its name was found. */
  | { kind: 'variable'; name: string; source: VariableSource }
  /** Sets the variable that replaces Google Fonts in builds (`FALLBACK_FONTS`). */
  | { kind: 'fallback-fonts' }
  | { kind: 'port'; port: number }
  /** Gives the app a larger size than the one with which it failed. */
  | { kind: 'size'; from: string; tier: string; cpus: number; memoryBytes: number };

/** A message of the app, the name of a file such as `.env.example`, or of a program that reads the variable. */
export type VariableSource = { kind: 'message' } | { kind: 'file' | 'code'; file: string };

/** What was found out about a release: how it is built and started, and where it listens. */
export type Detected = {
  /** What the project is, for example `SvelteKit with adapter-node`. */
  summary?: string;
  installCommand?: string;
  buildCommand?: string;
  startCommand?: string;
  /** The folder that is served, of a static site. */
  outputDirectory?: string;
  dockerfile?: string;
  /** The commands of the other processes in the Procfile. */
  processes?: Record<string, string>;
  versions?: Partial<Record<VersionedRuntime, string>>;
  /** The names of variables that example files of the repository list. */
  variables?: { name: string; file: string }[];
  /** The names of variables that programs read without a default. */
  readVariables?: { name: string; file: string }[];
  /** The port that the app listens on, if it is not the configured one. */
  port?: number;
};

const TEXTS = [
  'summary',
  'installCommand',
  'buildCommand',
  'startCommand',
  'outputDirectory',
  'dockerfile',
] as const;

/** Skips malformed and unknown entries. */
export function decodeFixes(stored: unknown): Fix[] {
  return Array.isArray(stored) ? stored.flatMap(decodeFix) : [];
}

function decodeFix(stored: unknown): Fix[] {
  if (!isRecord(stored)) return [];
  const { kind, folder, evidence, name, source, port } = stored;
  switch (kind) {
    case 'root-directory':
      if (typeof folder !== 'string' || repositoryPathProblem(folder) !== undefined) return [];
      return [{ kind, folder, evidence: typeof evidence === 'string' ? evidence : '' }];
    case 'variable':
      if (typeof name !== 'string' || envKeyProblem(name) !== undefined) return [];
      return [{ kind, name, source: decodeSource(source) }];
    case 'fallback-fonts':
      return [{ kind }];
    case 'port':
      return typeof port === 'number' && portProblem(port) === undefined ? [{ kind, port }] : [];
    case 'size':
      return decodeSizeFix(stored);
    default:
      return [];
  }
}

function decodeSizeFix({ from, tier, cpus, memoryBytes }: Record<string, unknown>): Fix[] {
  if (typeof from !== 'string' || typeof tier !== 'string') return [];
  if (typeof cpus !== 'number' || typeof memoryBytes !== 'number') return [];
  return [{ kind: 'size', from, tier, cpus, memoryBytes }];
}

function decodeSource(stored: unknown): VariableSource {
  if (!isRecord(stored) || typeof stored.file !== 'string') return { kind: 'message' };
  return { kind: stored.kind === 'code' ? 'code' : 'file', file: stored.file };
}

/** Empty for releases stored before it was recorded. */
export function decodeDetected(stored: unknown): Detected {
  if (!isRecord(stored)) return {};
  const texts = TEXTS.filter((name) => typeof stored[name] === 'string');
  const { versions, port, variables, readVariables, processes } = stored;
  return {
    ...Object.fromEntries(texts.map((name) => [name, stored[name]])),
    ...(isRecord(processes) ? { processes: textsOf(processes) } : {}),
    ...(isRecord(versions) ? { versions: textsOf(versions) } : {}),
    ...(Array.isArray(variables) ? { variables: variables.filter(isVariable) } : {}),
    ...(Array.isArray(readVariables) ? { readVariables: readVariables.filter(isVariable) } : {}),
    ...(typeof port === 'number' ? { port } : {}),
  };
}

function textsOf(record: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string';
    }),
  );
}

function isVariable(value: unknown): value is { name: string; file: string } {
  return isRecord(value) && typeof value.name === 'string' && typeof value.file === 'string';
}
