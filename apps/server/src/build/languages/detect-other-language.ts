import type { Checkout, Finding, WebCommand } from '../build-plan.ts';
import { detectDeno } from './deno.ts';
import { detectDotnet } from './dotnet.ts';
import { detectJava } from './java.ts';
import { detectPhp } from './php.ts';
import { detectRuby } from './ruby.ts';
import { detectRust } from './rust.ts';

const DETECTORS = [detectRuby, detectPhp, detectJava, detectRust, detectDotnet, detectDeno];
const NONE =
  'There is no Gemfile, composer.json, index.php, pom.xml, build.gradle, Cargo.toml, .csproj or deno.json';

/** The first language that has its files here, or what that one lacks. */
export function detectOtherLanguage(checkout: Checkout, web: WebCommand | undefined): Finding {
  const findings = DETECTORS.map((detector) => detector(checkout, web));
  const isFound = (finding: Finding) =>
    finding.kind === 'plan' || !finding.sentence.startsWith('There is no ');
  return (
    findings.find(({ kind }) => kind === 'plan') ??
    findings.find(isFound) ?? { kind: 'lacks', sentence: NONE }
  );
}
