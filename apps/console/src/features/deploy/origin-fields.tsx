import {
  type IntegrationResource,
  type IntegrationValues,
  isUploadUrl,
  NO_UPLOAD_YET,
  uploadDigest,
} from '@longshore/contract';
import { useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { DraftFieldsProps } from './draft-fields-props.ts';
import { MESSAGES } from './messages.ts';
import type { DeployDraft, DeploymentType } from './model/deploy-draft.ts';
import { secretOptions } from './model/secret-options.ts';
import { RefField } from './ref-field.tsx';
import { RepositorySummary } from './repository-summary.tsx';

/** An upload is stored as a source with another kind of URL. */
type OriginType = DeploymentType | 'upload';

const TYPES: { value: OriginType; label: string }[] = [
  { value: 'ssh', label: MESSAGES.origin.types.ssh },
  { value: 'docker', label: MESSAGES.origin.types.docker },
  { value: 'upload', label: MESSAGES.origin.types.upload },
];

function originType({ deploymentType, sourceUrl }: DeployDraft): OriginType {
  return deploymentType === 'ssh' && isUploadUrl(sourceUrl) ? 'upload' : deploymentType;
}

type OriginFieldsProps = DraftFieldsProps & { onChangeRepository(): void };

/** Source of the app: the picked repository, or a git URL or image entered here. */
export function OriginFields({ onChangeRepository, ...fields }: OriginFieldsProps) {
  const { draft, problems, onChange } = fields;
  const { uploads } = useServices();
  const type = originType(draft);
  // The URL of the other type, for when the user changes back to it.
  const [firstUrl] = useState(draft.sourceUrl);
  const urlOf = (chosen: OriginType) => {
    if (isUploadUrl(firstUrl) === (chosen === 'upload')) return firstUrl;
    return chosen === 'upload' ? NO_UPLOAD_YET : '';
  };
  const choose = (chosen: OriginType) => {
    if (chosen === 'docker') onChange({ deploymentType: 'docker' });
    else if (chosen === 'upload' || type === 'upload') {
      onChange({ deploymentType: 'ssh', sourceUrl: urlOf(chosen), sourceSecretName: '' });
    } else onChange({ deploymentType: 'ssh' });
  };
  if (!draft.isManualMode) {
    return (
      <div className="grid gap-4">
        <RepositorySummary
          draft={draft}
          problem={problems.selectedRepository}
          onUrl={(sourceUrl) => onChange({ sourceUrl })}
          onChangeRepository={onChangeRepository}
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
          value={type}
          options={TYPES.filter(({ value }) => value !== 'upload' || uploads !== undefined)}
          onChange={choose}
        />
      </div>
      {type === 'ssh' && <GitFields {...fields} />}
      {type === 'docker' && <ImageFields {...fields} />}
      {type === 'upload' && <UploadNote url={draft.sourceUrl} />}
    </div>
  );
}

function UploadNote({ url }: { url: string }) {
  const digest = uploadDigest(url);
  return (
    <p className="wrap-anywhere text-muted">
      {digest === undefined ? MESSAGES.upload.new : MESSAGES.upload.current(digest.slice(0, 12))}
    </p>
  );
}

/** Git URL and ref, and the integration that clones it. */
function GitFields(fields: DraftFieldsProps) {
  const { draft, problems, integrations, onChange } = fields;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
        <Field
          label={MESSAGES.origin.sourceUrl}
          placeholder={MESSAGES.examples.sourceUrl}
          autoComplete="off"
          spellCheck={false}
          value={draft.sourceUrl}
          problem={problems.sourceUrl}
          onChange={(event) => onChange({ sourceUrl: event.target.value })}
        />
        <RefField {...fields} />
      </div>
      <IntegrationField
        type="ssh"
        label={MESSAGES.gitAccount}
        none={MESSAGES.noGitAccount}
        integrations={integrations}
        value={draft.sourceSecretName}
        onChange={(sourceSecretName) => onChange({ sourceSecretName })}
      />
    </>
  );
}

/** Image and tag, and the integration that pulls it. */
function ImageFields({ draft, problems, integrations, onChange }: DraftFieldsProps) {
  const registry = integrations.find(({ id }) => id === draft.containerPullSecretName);
  const registryHost = registry?.values.provider === 'registry' && registry.values.host;
  const { examples } = MESSAGES;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_9rem]">
        <Field
          label={MESSAGES.origin.image}
          placeholder={registryHost ? examples.imageAt(registryHost) : examples.image}
          autoComplete="off"
          spellCheck={false}
          value={draft.containerImage}
          problem={problems.containerImage}
          onChange={(event) => onChange({ containerImage: event.target.value })}
        />
        <Field
          label={MESSAGES.origin.tag}
          placeholder={examples.tag}
          autoComplete="off"
          spellCheck={false}
          value={draft.containerTag}
          onChange={(event) => onChange({ containerTag: event.target.value })}
        />
      </div>
      <IntegrationField
        type="docker"
        label={MESSAGES.registryAccount}
        none={MESSAGES.noRegistryAccount}
        integrations={integrations}
        value={draft.containerPullSecretName}
        onChange={(containerPullSecretName) => onChange({ containerPullSecretName })}
      />
    </>
  );
}

type IntegrationFieldProps = {
  type: IntegrationValues['type'];
  label: string;
  /** Label of the option for no integration. */
  none: string;
  integrations: IntegrationResource[];
  value: string;
  onChange(name: string): void;
};

/** The integration whose credentials are used. Hidden while no account of this type is connected. */
function IntegrationField({
  type,
  label,
  none,
  integrations,
  value,
  onChange,
}: IntegrationFieldProps) {
  const options = secretOptions(integrations, type);
  const isRemoved = value !== '' && !options.some(({ name }) => name === value);
  if (options.length === 0 && !isRemoved) return null;
  return (
    <SelectField
      label={label}
      value={value}
      problem={isRemoved ? MESSAGES.removedIntegration.problem : undefined}
      options={[
        { value: '', label: none },
        ...options.map(({ name, displayName }) => ({ value: name, label: displayName })),
        ...(isRemoved ? [{ value, label: MESSAGES.removedIntegration.label }] : []),
      ]}
      onChange={onChange}
    />
  );
}
