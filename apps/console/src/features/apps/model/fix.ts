import {
  ALWAYS_SET,
  type AppValues,
  type Detected,
  FALLBACK_FONTS,
  type Fix,
  mainPort,
} from '@longshore/contract';

/** A fix that one click applies. Missing values of variables are up to the user. */
export type AppliedFix = Exclude<Fix, { kind: 'variable' }>;

export type VariableFix = Extract<Fix, { kind: 'variable' }>;

const MAX_VARIABLES = 10;

/** The settings of an app with a fix. */
export function applyFix(values: AppValues, fix: AppliedFix): AppValues {
  if (fix.kind === 'root-directory') {
    return { ...values, build: { ...values.build, rootDirectory: fix.folder } };
  }
  if (fix.kind === 'size') return { ...values, resourceTier: fix.tier };
  if (fix.kind === 'fallback-fonts') {
    return { ...values, env: { ...values.env, [FALLBACK_FONTS.name]: FALLBACK_FONTS.value } };
  }
  const main = mainPort(values.ports);
  const ports = values.ports.map((port) =>
    port.number === main ? { ...port, number: fix.port } : port,
  );
  return { ...values, ports };
}

/** The evidence of a failure without what its fixes show: the folders that were found. */
export function evidenceBeside(fixes: readonly Fix[], evidence: readonly string[]): string[] {
  const shown = fixes.map((fix) =>
    fix.kind === 'root-directory' ? `${fix.folder}: ${fix.evidence}` : '',
  );
  return evidence.filter((line) => line === '' || !shown.includes(line));
}

/** The fixes that are not applied yet: a release is shown until the next one ends. */
export function openFixes(fixes: readonly Fix[], values: AppValues): Fix[] {
  return fixes.filter((fix) => !isApplied(fix, values));
}

function isApplied(fix: Fix, { build, env, ports, resourceTier }: AppValues): boolean {
  switch (fix.kind) {
    case 'root-directory':
      return build?.rootDirectory === fix.folder;
    case 'variable':
      return Object.hasOwn(env, fix.name);
    case 'fallback-fonts':
      return env[FALLBACK_FONTS.name] === FALLBACK_FONTS.value;
    case 'port':
      return mainPort(ports) === fix.port;
    case 'size':
      // Any other size is a decision of the user.
      return resourceTier !== fix.from;
  }
}

/** For the variables that example files of the repository list and that are not set, at most ten. */
export function unsetVariables({ variables = [] }: Detected, { env }: AppValues): VariableFix[] {
  return variables
    .filter(({ name }) => !ALWAYS_SET.has(name) && !Object.hasOwn(env, name))
    .slice(0, MAX_VARIABLES)
    .map(({ name, file }) => ({ kind: 'variable', name, source: { kind: 'file', file } }));
}
