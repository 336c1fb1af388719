import { FALLBACK_FONTS } from '@longshore/contract';
import type { BuildPlan, BuildStep, Checkout } from '../build-plan.ts';
import { REPLACE_GOOGLE_FONTS } from './google-fonts-script.ts';
import { parsePackageJson } from './package-json.ts';

/** Frameworks whose builds download the fonts of a site from Google, and fail without them. */
const FRAMEWORKS = [
  { dependency: 'next', name: 'next' },
  { dependency: '@angular/core', name: 'angular' },
];

/** Marks the steps that download Google Fonts. If the app asks for fallback fonts, they are replaced before (decision 127). */
export function withGoogleFonts(
  plan: BuildPlan,
  { texts, workspace }: Checkout,
  env: Readonly<Record<string, string>>,
): BuildPlan {
  const manifest = parsePackageJson(texts['package.json'] ?? '');
  const framework = FRAMEWORKS.find(({ dependency }) => manifest?.dependencies[dependency]);
  const { steps } = plan;
  const first = steps.findIndex(({ kind }) => kind === 'build');
  if (framework === undefined || first === -1) return plan;
  if (env[FALLBACK_FONTS.name] !== FALLBACK_FONTS.value) {
    const marked = steps.map((step) =>
      step.kind === 'build' ? { ...step, downloadsGoogleFonts: true } : step,
    );
    return { ...plan, steps: marked };
  }
  const argv = [
    'node',
    '-e',
    REPLACE_GOOGLE_FONTS,
    framework.name,
    workspace?.path ?? '.',
  ] as const;
  const replace: BuildStep = { kind: 'build', label: 'Replace Google Fonts', argv };
  return {
    ...plan,
    evidence: [
      ...plan.evidence,
      `Found ${FALLBACK_FONTS.name}: replacing Google Fonts with fallback fonts`,
    ],
    steps: [...steps.slice(0, first), replace, ...steps.slice(first)],
  };
}
