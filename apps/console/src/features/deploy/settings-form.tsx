import {
  type AppResource,
  type AppValues,
  DEFAULT_PORT,
  type Detected,
  type IntegrationResource,
  isUploadUrl,
  type Release,
  SETTING_EFFECTS,
} from '@longshore/contract';
import type { ReactNode } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { Card } from '../../ui/card.tsx';
import { LeaveQuestion } from '../../ui/leave-question.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { SectionNav } from '../../ui/section-nav.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { AccessFields } from './access-fields.tsx';
import { BuildFields } from './advanced-fields.tsx';
import { MESSAGES } from './messages.ts';
import type { DeployDraft } from './model/deploy-draft.ts';
import { appValuesFromDraft } from './model/draft-conversion.ts';
import { editableFields } from './model/draft-edits.ts';
import { lastDetected } from './model/placeholders.ts';
import { settingsEffectText } from './model/settings-effect.ts';
import { NameFields } from './name-fields.tsx';
import { OriginFields } from './origin-fields.tsx';
import { ProcessFields } from './process-fields.tsx';
import { ReplicasField } from './replicas-field.tsx';
import { SizeField } from './size-field.tsx';
import { type FormScope, useAppForm } from './use-app-form.ts';

const { settings: TEXTS } = MESSAGES;

/** Everything of the app's form except its variables and domains, which have tabs of their own. */
const SCOPE: FormScope = {
  fieldsOf(draft) {
    const {
      envVars: _,
      useCustomDomain: _use,
      customDomain: _domain,
      ...fields
    } = editableFields(draft);
    return fields;
  },
  valuesOf: (draft, current, baseDomain) => {
    const { publicAccess } = current;
    const values = appValuesFromDraft(draft, {
      projectId: current.projectId,
      existing: current,
      baseDomain,
    });
    return {
      ...values,
      env: current.env,
      publicAccess: { ...publicAccess, enabled: values.publicAccess.enabled },
    };
  },
  problemsOf: ({ envVars: _, customDomain: _domain, ...problems }) => problems,
};

type SettingsFormProps = {
  app: AppResource;
  history: Release[];
  /** Hosts with a certificate. */
  secureHosts: readonly string[];
  integrations: IntegrationResource[];
  disabledReason: string | undefined;
  /** Settings that are saved at once, after the source. */
  afterSource: ReactNode;
  /** The same, after what decides about pushes. */
  afterPushes: ReactNode;
  /** The same, at the end. */
  atEnd: ReactNode;
  onSent(): void;
};

/** The settings of an app, saved in place. */
export function SettingsForm(props: SettingsFormProps) {
  const { app, history, integrations, afterSource, afterPushes, atEnd } = props;
  const { tiers } = useConfig();
  const detected = lastDetected(history);
  const form = useAppForm({ ...props, scope: SCOPE });
  const { source } = app.values;
  const { draft, problems, bar, isBusy, disabledReason, dispatch } = form;
  const change = (changes: Partial<DeployDraft>) => dispatch({ type: 'change', change: changes });
  const fields = { draft, problems, integrations, onChange: change };
  return (
    <div className="grid grid-cols-1 items-start gap-x-8 lg:grid-cols-[11rem_minmax(0,1fr)]">
      <SectionNav label={TEXTS.sections} area={form.element} />
      <form
        ref={form.element}
        noValidate
        className="grid w-full max-w-3xl grid-cols-1 gap-4 *:scroll-mt-20 max-lg:mx-auto"
        onSubmit={form.submit}
      >
        <LeaveQuestion hasChanges={form.hasChanges} />
        <Section title={TEXTS.source} keys={['source', 'container']} values={app.values}>
          <OriginFields {...fields} onChangeRepository={() => undefined} />
        </Section>
        {afterSource}
        {source.enabled && !isUploadUrl(source.url) && (
          <Section title={TEXTS.pushes} keys={['watchPaths']} values={app.values}>
            <TextAreaField
              label={MESSAGES.watchPaths.label}
              hint={MESSAGES.watchPaths.hint}
              placeholder={MESSAGES.examples.watchPaths}
              rows={3}
              spellCheck={false}
              value={draft.watchPaths}
              problem={problems.watchPaths}
              onChange={(event) => change({ watchPaths: event.target.value })}
            />
          </Section>
        )}
        {afterPushes}
        <Section title={TEXTS.general} keys={['ports']} values={app.values}>
          <NameFields {...fields} nameHint={<NameEffect />} portHint={portHint(draft, detected)} />
        </Section>
        {tiers !== undefined && (
          <Section title={MESSAGES.size.title} keys={['resourceTier']} values={app.values}>
            <SizeField {...fields} stored={app.values} />
          </Section>
        )}
        <Section title={MESSAGES.replicas.title} keys={['replicas']} values={app.values}>
          <ReplicasField {...fields} />
        </Section>
        <Section title={MESSAGES.processes.title} keys={['processes']} values={app.values}>
          <ProcessFields {...fields} detected={detected} />
        </Section>
        <Section
          title={TEXTS.build}
          keys={source.enabled ? ['build', 'run'] : ['run']}
          values={app.values}
        >
          <div className="grid gap-4">
            <p className="text-muted">{MESSAGES.advanced.hint}</p>
            <BuildFields {...fields} detected={detected} />
          </div>
        </Section>
        <Section title={TEXTS.access} keys={['publicAccess', 'sleep']} values={app.values}>
          <AccessFields {...fields} hasDomain={false} />
        </Section>
        {atEnd}
        <SaveBar
          state={bar}
          isBusy={isBusy}
          disabledReason={disabledReason}
          onDiscard={form.discard}
        />
      </form>
    </div>
  );
}

/** The port that was found, while none is typed. */
function portHint({ port }: DeployDraft, detected: Detected | undefined): string | undefined {
  const isTyped = port.trim() !== String(DEFAULT_PORT);
  return isTyped || detected?.port === undefined ? undefined : MESSAGES.listensOn(detected.port);
}

/** Whether a new name restarts the app depends on the engine. */
function NameEffect() {
  const { hasProjectNetwork } = useConfig();
  return settingsEffectText([SETTING_EFFECTS.name], { hasProjectNetwork, isGit: true });
}

type SectionProps = {
  title: string;
  keys: (keyof AppValues)[];
  values: AppValues;
  children: ReactNode;
};

/** One group of settings. Its header says what changing them causes. */
function Section({ title, keys, values, children }: SectionProps) {
  const { hasProjectNetwork } = useConfig();
  const effects = keys.map((key) => SETTING_EFFECTS[key]);
  return (
    <Card
      title={title}
      actions={
        <span className="text-xs text-faint">
          {settingsEffectText(effects, { hasProjectNetwork, isGit: values.source.enabled })}
        </span>
      }
    >
      <div className="p-4">{children}</div>
    </Card>
  );
}
