import { Segmented } from '../../ui/segmented.tsx';
import type { FieldsProps } from './fields-props.ts';
import { GitFields } from './git-fields.tsx';
import { ImageFields } from './image-fields.tsx';
import { MESSAGES } from './messages.ts';
import type { DeploymentType } from './model/deploy-draft.ts';
import { RefField } from './ref-field.tsx';
import { RepositorySummary } from './repository-summary.tsx';

const TYPES: { value: DeploymentType; label: string }[] = [
  { value: 'ssh', label: MESSAGES.origin.types.ssh },
  { value: 'docker', label: MESSAGES.origin.types.docker },
];

type OriginFieldsProps = FieldsProps & { onPickAnother(): void };

/** Where the app comes from: a repository that was picked, or what is typed here. */
export function OriginFields({ onPickAnother, ...fields }: OriginFieldsProps) {
  const { draft, problems, onChange } = fields;
  if (!draft.isManualMode) {
    return (
      <div className="grid gap-4">
        <RepositorySummary
          draft={draft}
          problem={problems.selectedRepository}
          onUrl={(sourceUrl) => onChange({ sourceUrl })}
          onPickAnother={onPickAnother}
        />
        <RefField {...fields} />
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      <div>
        <Segmented
          label={MESSAGES.origin.type}
          value={draft.deploymentType}
          options={TYPES}
          onChange={(deploymentType) => onChange({ deploymentType })}
        />
      </div>
      {draft.deploymentType === 'ssh' ? <GitFields {...fields} /> : <ImageFields {...fields} />}
    </div>
  );
}
