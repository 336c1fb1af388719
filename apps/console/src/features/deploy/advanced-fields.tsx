import {
  type AppValues,
  type ConsoleConfig,
  type Detected,
  RESOURCE_TIER,
} from '@longshore/contract';
import { useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { Field } from '../../ui/field.tsx';
import { ChevronRight } from '../../ui/icons.tsx';
import type { DraftFieldsProps } from './draft-fields-props.ts';
import { MESSAGES } from './messages.ts';
import {
  type AdvancedDraft,
  DEFAULT_REPLICAS,
  type DeployDraft,
  forVersions,
} from './model/deploy-draft.ts';
import { placeholdersOf } from './model/placeholders.ts';
import { ReplicasField } from './replicas-field.tsx';
import { SizeField } from './size-field.tsx';

const TEXTS = MESSAGES.advanced;

type BuildFieldsProps = Omit<DraftFieldsProps, 'integrations'> & {
  /** By the last build of the app. */
  detected?: Detected | undefined;
};
/** `notOn`: the engine that does not use it. */
type AdvancedField = {
  name: keyof AdvancedDraft;
  hint?: string;
  notOn?: ConsoleConfig['engine'];
};

const START: AdvancedField = { name: 'startCommand', hint: TEXTS.startCommandHint };
const RELEASE: AdvancedField = { name: 'releaseCommand', hint: TEXTS.releaseCommandHint };
const STOP: AdvancedField = { name: 'stopGraceSeconds', hint: TEXTS.stopGraceSecondsHint };
const HEALTH: AdvancedField[] = [
  { name: 'healthPath', hint: TEXTS.healthPathHint },
  { name: 'healthStatus', hint: TEXTS.healthStatusHint },
  { name: 'healthGraceSeconds', hint: TEXTS.healthGraceSecondsHint },
  { name: 'healthIntervalSeconds' },
  { name: 'healthFailureThreshold', hint: TEXTS.healthFailureThresholdHint },
];
const SOURCE_FIELDS: AdvancedField[] = [
  { name: 'rootDirectory', hint: TEXTS.rootDirectoryHint },
  { name: 'installCommand' },
  { name: 'buildCommand' },
  START,
  RELEASE,
  { name: 'outputDirectory', hint: TEXTS.outputDirectoryHint },
  { name: 'dockerfile', hint: TEXTS.dockerfileHint, notOn: 'process' },
  ...Object.values(forVersions((_, name): AdvancedField => ({ name }))),
  STOP,
  ...HEALTH,
];

type AdvancedFieldsProps = BuildFieldsProps & {
  /** Of an app that exists. */
  stored?: AppValues | undefined;
};

/** Size, number of instances, and how the app is built and started. Open if one of its fields is set or has a problem. */
export function AdvancedFields(props: AdvancedFieldsProps) {
  const { draft, problems, detected, stored, onChange } = props;
  const fields = useFields(draft);
  const hasProblem =
    problems.resourceTier !== undefined ||
    problems.replicas !== undefined ||
    fields.some(({ name }) => problems[name] !== undefined);
  const [isOpened, setOpened] = useState(
    draft.resourceTier !== RESOURCE_TIER ||
      draft.replicas !== DEFAULT_REPLICAS ||
      fields.some(({ name }) => draft[name] !== ''),
  );
  const isOpen = isOpened || hasProblem;
  return (
    <details
      className="group rounded-box border border-line"
      open={isOpen}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary className="flex cursor-pointer list-none items-center gap-2 rounded-box p-4 font-medium">
        <ChevronRight size={16} aria-hidden="true" className="group-open:rotate-90" />
        {TEXTS.title}
        <span className="font-normal text-muted text-xs">{TEXTS.hint}</span>
      </summary>
      <div className="grid gap-4 px-4 pb-4">
        {/* It loads what the account uses, which the dialog must not wait for. */}
        {isOpen && (
          <SizeField draft={draft} problems={problems} stored={stored} onChange={onChange} />
        )}
        <ReplicasField draft={draft} problems={problems} onChange={onChange} />
        <BuildFields draft={draft} problems={problems} detected={detected} onChange={onChange} />
      </div>
    </details>
  );
}

/** The fields alone. An image is started, but not built. */
export function BuildFields({ draft, problems, detected, onChange }: BuildFieldsProps) {
  const fields = useFields(draft);
  const placeholders = placeholdersOf(detected);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {fields.map(({ name, hint }) => (
        <Field
          key={name}
          label={TEXTS[name]}
          placeholder={placeholders[name]}
          autoComplete="off"
          spellCheck={false}
          hint={hint}
          value={draft[name]}
          problem={problems[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      ))}
    </div>
  );
}

function useFields({ deploymentType }: DeployDraft): AdvancedField[] {
  const config = useConfig();
  const fields = deploymentType === 'ssh' ? SOURCE_FIELDS : [START, RELEASE, STOP, ...HEALTH];
  return fields.filter(({ notOn }) => notOn !== config.engine);
}
