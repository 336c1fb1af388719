import {
  type CertificateStatus,
  type ConsoleConfig,
  publicUrlOf,
  ROUTES,
} from '@longshore/contract';
import type { Engine } from '../engines/engine.ts';
import type { Secret } from '../secrets/secret.ts';
import { paint } from './output-format.mjs';

/** What an operator needs to know of a server that has started. */
export type StartSummary = {
  version: string;
  publicUrl: string;
  /** Where apps are served, with a placeholder for the name. */
  appUrl: string;
  engine: { kind: Engine['kind']; reason: string; notes: string[] };
  dataDir: string;
  /** Without an account yet: how to create the first one. */
  firstAccount: { setupCode: Secret | undefined } | undefined;
};

const ENGINES: Record<Engine['kind'], string> = {
  process: 'Processes',
  docker: 'Docker',
  kubernetes: 'Kubernetes',
};

/** The URL of apps, with a placeholder for the name. */
export function appUrlOf(
  ingress: ConsoleConfig['ingress'],
  certificateOf: (host: string) => Pick<CertificateStatus, 'state'>,
): string {
  const host = `<app>.${ingress.baseDomain}`;
  return publicUrlOf(ingress, host, certificateOf(host).state !== 'off');
}

/** The lines that a terminal shows when the server is ready. */
export function summaryText(summary: StartSummary, isColored: boolean): string {
  const { version, publicUrl, appUrl, engine, dataDir, firstAccount } = summary;
  const setupCode = firstAccount?.setupCode;
  const link = (url: string) => paint(url, 'cyan', isColored);
  const rows: [string, string][] = [
    ['Console', link(publicUrl)],
    ['Apps', link(appUrl)],
    ['Engine', `${ENGINES[engine.kind]}, ${engine.reason}`],
    ...engine.notes.map((note): [string, string] => ['', note]),
    ['Data', dataDir],
    ...(firstAccount === undefined ? [] : [row('First account', link(signUpUrl(publicUrl)))]),
    ...(setupCode === undefined ? [] : [row('Set-up code', setupCode.reveal())]),
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return [
    '',
    `  ${paint(`Longshore ${version} is ready`, 'bold', isColored)}`,
    '',
    ...rows.map(([label, value]) => `  ${paint(label.padEnd(width), 'dim', isColored)}${value}`),
    '',
    `  ${paint('Press Ctrl-C to stop Longshore. Apps keep serving; npm run stop stops the edge too.', 'dim', isColored)}`,
    '',
  ].join('\n');
}

/** The lines that a log gets instead. The code is printed here and in the summary only. */
export function summaryMessages({ publicUrl, firstAccount }: StartSummary): string[] {
  const setupCode = firstAccount?.setupCode;
  const address = signUpUrl(publicUrl);
  return [
    ...(setupCode === undefined
      ? []
      : [
          `To create the first account, open ${address} and enter the set-up code ${setupCode.reveal()}`,
        ]),
    `Longshore is ready: ${publicUrl}`,
  ];
}

function row(label: string, value: string): [string, string] {
  return [label, value];
}

function signUpUrl(publicUrl: string): string {
  return `${publicUrl}${ROUTES.signup}`;
}
