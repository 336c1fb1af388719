import {
  ADDRESS_VARIABLES,
  isApp,
  type Reference,
  type Resource,
  referencesIn,
  referenceText,
} from '@longshore/contract';
import { MESSAGES } from '../messages.ts';
import type { EnvRow } from './env-rows.ts';

/** An app of the project, and what variables of other apps can refer to. */
export type OfferedApp = { name: string; variables: string[] };

/** The apps of a project, by name. `except`: the app whose variables are edited. */
export function offeredApps(
  resources: Resource[],
  { projectId, except }: { projectId: string; except: string | undefined },
): OfferedApp[] {
  return resources
    .filter(isApp)
    .filter(({ id, values }) => values.projectId === projectId && id !== except)
    .map(({ values: { name, env } }) => {
      const own = Object.keys(env).filter((key) => !isAddress(key));
      return { name, variables: [...ADDRESS_VARIABLES, ...own.sort()] };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** What a variable gets from which app, or what is wrong with that. Undefined: it has no reference. */
export function referenceNote(
  value: string,
  { apps, own }: { apps: OfferedApp[]; own: OfferedApp },
): string | undefined {
  const references = referencesIn(value);
  if (references.length === 0) return undefined;
  for (const { app, variable } of references) {
    const found = [...apps, own].find(({ name }) => name === app);
    if (found === undefined) return MESSAGES.references.unknownApp(app);
    if (!found.variables.includes(variable)) {
      return MESSAGES.references.unknownVariable(app, variable);
    }
  }
  return MESSAGES.references.note(references.map(({ app, variable }) => `${variable} of ${app}`));
}

/** What rows can refer to in their own app. */
export function ownOffer(name: string, rows: EnvRow[]): OfferedApp {
  return { name, variables: [...ADDRESS_VARIABLES, ...rows.map(({ key }) => key.trim())] };
}

/** A line of a `.env` file that refers to a variable of another app, named after it. */
export function referenceLine(reference: Reference): string {
  const { app, variable } = reference;
  const prefix = `${/^\d/.test(app) ? 'APP_' : ''}${app.toUpperCase().replaceAll('-', '_')}_`;
  const key = variable.startsWith(prefix) ? variable : `${prefix}${variable}`;
  return `${key}=${referenceText(reference)}`;
}

function isAddress(key: string): boolean {
  return (ADDRESS_VARIABLES as readonly string[]).includes(key);
}
