import { DEFAULT_SOURCE_REF } from '@longshore/contract';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import type { FieldsProps } from './fields-props.ts';
import type { DeploymentType } from './model/deploy-draft.ts';

const TYPES: { value: DeploymentType; label: string }[] = [
  { value: 'ssh', label: 'Git repository' },
  { value: 'docker', label: 'Container image' },
];

/** Where the app comes from: a git address and ref, or an image and tag. */
export function OriginFields({ draft, problems, onChange }: FieldsProps) {
  return (
    <div className="grid gap-4">
      <div>
        <Segmented
          label="Deployment type"
          value={draft.deploymentType}
          options={TYPES}
          onChange={(deploymentType) => onChange({ deploymentType })}
        />
      </div>
      {draft.deploymentType === 'ssh' ? (
        <div className="grid gap-4 sm:grid-cols-[1fr_9rem]">
          <Field
            label="Source URL"
            placeholder="https://github.com/acme/shop.git"
            autoComplete="off"
            spellCheck={false}
            value={draft.sourceUrl}
            problem={problems.sourceUrl}
            onChange={(event) => onChange({ sourceUrl: event.target.value })}
          />
          <Field
            label="Source Ref"
            placeholder={DEFAULT_SOURCE_REF}
            autoComplete="off"
            spellCheck={false}
            value={draft.sourceRef}
            problem={problems.sourceRef}
            onChange={(event) => onChange({ sourceRef: event.target.value })}
          />
        </div>
      ) : (
        <div className="grid gap-4 sm:grid-cols-[1fr_9rem]">
          <Field
            label="Container Image"
            placeholder="nginx"
            autoComplete="off"
            spellCheck={false}
            value={draft.containerImage}
            problem={problems.containerImage}
            onChange={(event) => onChange({ containerImage: event.target.value })}
          />
          <Field
            label="Tag"
            placeholder="latest"
            autoComplete="off"
            spellCheck={false}
            value={draft.containerTag}
            onChange={(event) => onChange({ containerTag: event.target.value })}
          />
        </div>
      )}
    </div>
  );
}
