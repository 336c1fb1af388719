import type { EnvChange, ReleaseDiff, SettingName } from '@longshore/contract';
import { useConfig } from '../../client/console-environment.tsx';
import { shortRevision } from '../../lib/short-revision.ts';
import { tierText } from '../../lib/tier-text.ts';
import { MESSAGES } from './messages.ts';

const { diff: TEXTS } = MESSAGES;
const ENV_CHANGES = Object.keys(TEXTS.env) as EnvChange[];
const NAME = 'text-xs text-faint';
const VALUE = 'font-mono text-[0.8125rem] break-all text-text';

/** Settings before and after; variables by name only. */
export function DiffList({ diff }: { diff: ReleaseDiff }) {
  const { tiers } = useConfig();
  const textOf = (name: SettingName, value: string) =>
    name === 'Size' ? tierText(value, tiers) : shortRevision(value);
  return (
    <dl className="grid max-h-60 gap-2 overflow-y-auto rounded-box border border-line px-3 py-2">
      {diff.settings.map(({ name, before, after }) => (
        <div key={name}>
          <dt className={NAME}>{name}</dt>
          <dd className={VALUE}>
            <del className="text-muted">{textOf(name, before) || TEXTS.none}</del>
            <span aria-hidden="true"> → </span>
            <ins className="no-underline">{textOf(name, after) || TEXTS.none}</ins>
          </dd>
        </div>
      ))}
      {ENV_CHANGES.filter((change) => diff.env[change].length > 0).map((change) => (
        <div key={change}>
          <dt className={NAME}>{TEXTS.env[change]}</dt>
          <dd className={VALUE}>{diff.env[change].join(', ')}</dd>
        </div>
      ))}
    </dl>
  );
}
