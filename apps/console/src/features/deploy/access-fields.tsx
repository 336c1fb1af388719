import { useConfig } from '../../client/console-environment.tsx';
import { Field } from '../../ui/field.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import type { FieldsProps } from './fields-props.ts';
import { MESSAGES } from './messages.ts';

/** Public access, with an automatic address or a custom domain, and what happens when nobody uses it. */
export function AccessFields({ draft, problems, onChange }: FieldsProps) {
  const { ingress } = useConfig();
  const words = MESSAGES.access;
  return (
    <div className="grid gap-4 rounded-box border border-line p-4">
      <SwitchField
        label={words.title}
        hint={words.text(ingress.baseDomain)}
        isOn={draft.exposePort}
        onChange={(exposePort) => onChange({ exposePort })}
      />
      {draft.exposePort && (
        <SwitchField
          label={words.custom}
          hint={words.customText}
          isOn={draft.useCustomDomain}
          onChange={(useCustomDomain) => onChange({ useCustomDomain })}
        />
      )}
      {draft.exposePort && draft.useCustomDomain && (
        <Field
          label={words.domain}
          placeholder={MESSAGES.examples.domain}
          autoComplete="off"
          spellCheck={false}
          hint={words.domainHint(ingress.publicIp)}
          value={draft.customDomain}
          problem={problems.customDomain}
          onChange={(event) => onChange({ customDomain: event.target.value })}
        />
      )}
      {draft.exposePort && (
        <SwitchField
          label={words.sleep}
          hint={words.sleepText}
          isOn={draft.sleepsWhenIdle}
          onChange={(sleepsWhenIdle) => onChange({ sleepsWhenIdle })}
        />
      )}
      {draft.exposePort && draft.sleepsWhenIdle && (
        <Field
          label={words.minutes}
          inputMode="numeric"
          autoComplete="off"
          hint={words.minutesHint}
          value={draft.sleepAfterMinutes}
          problem={problems.sleepAfterMinutes}
          onChange={(event) => onChange({ sleepAfterMinutes: event.target.value })}
        />
      )}
    </div>
  );
}
