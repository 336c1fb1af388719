import { invalid, type Parsed, valid } from './parsed.ts';
import { isSameJson } from './same-json.ts';
import { isRecord } from './type-guards.ts';

/** A parser for each setting of a group. `stored`: the setting before, in any form. Undefined counts as absent. */
export type SettingParsers<Settings> = {
  [Key in keyof Settings]-?: (value: unknown, stored: unknown) => Parsed<Settings[Key] | undefined>;
};

/** `stored`: the settings before, in any form. A group without settings is undefined. */
export function parseSettings<Settings extends object>(
  { field, value, stored }: { field: string; value: unknown; stored: unknown },
  parsers: SettingParsers<Settings>,
): Parsed<Settings | undefined> {
  if (value === undefined || value === null) return valid(undefined);
  if (!isRecord(value)) return invalid(field, 'Must be an object');
  const before = isRecord(stored) ? stored : {};
  const parsed: [string, unknown][] = [];
  for (const [key, setting] of Object.entries(value)) {
    if (!Object.hasOwn(parsers, key)) {
      // A row of a newer version must not prevent the app from being hibernated.
      if (Object.hasOwn(before, key) && isSameJson(before[key], setting)) continue;
      return invalid(`${field}.${key}`, 'Unknown setting');
    }
    if (setting === undefined || setting === null) continue;
    const result = parsers[key as keyof Settings](setting, before[key]);
    if (!result.ok) return result;
    if (result.value !== undefined) parsed.push([key, result.value]);
  }
  return valid(parsed.length === 0 ? undefined : (Object.fromEntries(parsed) as Settings));
}
