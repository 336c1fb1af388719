import { useConfig } from '../../backend/backend-context.tsx';
import { Field } from '../../ui/field.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import type { FieldsProps } from './fields-props.ts';

/** Public access, with an automatic address or a custom domain, and what happens when nobody uses it. */
export function AccessFields({ draft, problems, onChange }: FieldsProps) {
  const { ingress } = useConfig();
  return (
    <div className="grid gap-4 rounded-box border border-line p-4">
      <SwitchField
        label="Public access"
        hint={`Reachable at an address below ${ingress.baseDomain}`}
        isOn={draft.exposePort}
        onChange={(exposePort) => onChange({ exposePort })}
      />
      {draft.exposePort && (
        <SwitchField
          label="Custom domain"
          hint="Use an address of your own instead"
          isOn={draft.useCustomDomain}
          onChange={(useCustomDomain) => onChange({ useCustomDomain })}
        />
      )}
      {draft.exposePort && draft.useCustomDomain && (
        <Field
          label="Domain"
          placeholder="shop.example.com"
          autoComplete="off"
          spellCheck={false}
          hint={`Needs a DNS A record to ${ingress.publicIp}, TTL Auto. It can take up to 24 hours until it is known everywhere.`}
          value={draft.customDomain}
          problem={problems.customDomain}
          onChange={(event) => onChange({ customDomain: event.target.value })}
        />
      )}
      {draft.exposePort && (
        <SwitchField
          label="Sleep without visitors"
          hint="Hibernates the app when nobody comes. The next visitor wakes it and waits until it answers."
          isOn={draft.sleepsWhenIdle}
          onChange={(sleepsWhenIdle) => onChange({ sleepsWhenIdle })}
        />
      )}
      {draft.exposePort && draft.sleepsWhenIdle && (
        <Field
          label="Minutes without visitors"
          inputMode="numeric"
          autoComplete="off"
          hint="An open websocket counts as a visitor."
          value={draft.sleepAfterMinutes}
          problem={problems.sleepAfterMinutes}
          onChange={(event) => onChange({ sleepAfterMinutes: event.target.value })}
        />
      )}
    </div>
  );
}
