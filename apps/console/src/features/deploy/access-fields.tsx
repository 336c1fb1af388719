import { useConfig } from '../../client/console-environment.tsx';
import { Field } from '../../ui/field.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import type { DraftFieldsProps } from './draft-fields-props.ts';
import { MESSAGES } from './messages.ts';

type AccessFieldsProps = DraftFieldsProps & {
  /** Whether the form includes the custom domain. */
  hasDomain?: boolean;
};

/** Public access with an automatic address or a custom domain, and sleep when idle. */
export function AccessFields({ draft, problems, hasDomain = true, onChange }: AccessFieldsProps) {
  const { ingress } = useConfig();
  const texts = MESSAGES.access;
  return (
    <div className="grid gap-4">
      <SwitchField
        label={texts.title}
        hint={texts.text(ingress.baseDomain)}
        isOn={draft.exposePort}
        onChange={(exposePort) => onChange({ exposePort })}
      />
      {draft.exposePort && hasDomain && (
        <SwitchField
          label={texts.custom}
          hint={texts.customText}
          isOn={draft.useCustomDomain}
          onChange={(useCustomDomain) => onChange({ useCustomDomain })}
        />
      )}
      {draft.exposePort && hasDomain && draft.useCustomDomain && (
        <Field
          label={texts.domain}
          placeholder={MESSAGES.examples.domain}
          autoComplete="off"
          spellCheck={false}
          hint={texts.domainHint(ingress.publicIp)}
          value={draft.customDomain}
          problem={problems.customDomain}
          onChange={(event) => onChange({ customDomain: event.target.value })}
        />
      )}
      {draft.exposePort && (
        <SwitchField
          label={texts.sleep}
          hint={texts.sleepText}
          isOn={draft.sleepsWhenIdle}
          onChange={(sleepsWhenIdle) => onChange({ sleepsWhenIdle })}
        />
      )}
      {draft.exposePort && problems.sleepsWhenIdle !== undefined && (
        <p role="alert" className="text-bad text-xs">
          {problems.sleepsWhenIdle}
        </p>
      )}
      {draft.exposePort && draft.sleepsWhenIdle && (
        <Field
          label={texts.minutes}
          inputMode="numeric"
          autoComplete="off"
          hint={texts.minutesHint}
          value={draft.sleepAfterMinutes}
          problem={problems.sleepAfterMinutes}
          onChange={(event) => onChange({ sleepAfterMinutes: event.target.value })}
        />
      )}
    </div>
  );
}
