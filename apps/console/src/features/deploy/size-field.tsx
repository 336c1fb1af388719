import type { AppValues } from '@longshore/contract';
import { useConfig } from '../../client/console-environment.tsx';
import { useAccountUsage } from '../../client/use-account-usage.ts';
import { SelectField } from '../../ui/select-field.tsx';
import type { DraftFieldsProps } from './draft-fields-props.ts';
import { MESSAGES } from './messages.ts';
import { sizeOptions } from './model/size-options.ts';

const TEXTS = MESSAGES.size;

type SizeFieldProps = Pick<DraftFieldsProps, 'draft' | 'problems' | 'onChange'> & {
  /** Of an app that exists. */
  stored?: AppValues | undefined;
};

/** CPU and memory of the app, in plain numbers. */
export function SizeField({ draft, problems, stored, onChange }: SizeFieldProps) {
  const { tiers = [], engine } = useConfig();
  const { state } = useAccountUsage();
  const usage = state.kind === 'ready' ? state.data : undefined;
  const chosen = draft.resourceTier;
  // Another backend, which does not say what sizes it has.
  if (tiers.length === 0) return null;
  return (
    <SelectField
      label={TEXTS.label}
      hint={engine === 'kubernetes' ? TEXTS.hintOnCluster : TEXTS.hint}
      value={chosen}
      problem={problems.resourceTier}
      options={sizeOptions({ tiers, chosen, stored, usage })}
      onChange={(resourceTier) => onChange({ resourceTier })}
    />
  );
}
