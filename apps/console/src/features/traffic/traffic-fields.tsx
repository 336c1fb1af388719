import type { AppResource } from '@longshore/contract';
import type { ReactNode } from 'react';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { MESSAGES } from './messages.ts';
import {
  type HttpsRedirect,
  hostsOf,
  type TrafficDraft,
  type TrafficProblems,
} from './model/traffic-draft.ts';
import { type PairField, PairRows } from './pair-rows.tsx';

type TrafficFieldsProps = {
  draft: TrafficDraft;
  problems: TrafficProblems;
  onChange(edit: Partial<TrafficDraft>): void;
};

const BOX = 'grid gap-4 rounded-box border border-line p-4';
const MACHINE_TEXT = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

export function AccessGroup(props: TrafficFieldsProps & { hasStoredPassword: boolean }) {
  const { draft, problems, hasStoredPassword, onChange } = props;
  const { maintenance, password, allowedIps } = MESSAGES;
  return (
    <div className={BOX}>
      <SwitchField
        label={maintenance.label}
        hint={maintenance.hint}
        isOn={draft.maintenance}
        onChange={(isOn) => onChange({ maintenance: isOn })}
      />
      <SwitchField
        label={password.label}
        hint={password.hint}
        isOn={draft.hasPassword}
        onChange={(hasPassword) => onChange({ hasPassword })}
      />
      {draft.hasPassword && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={password.username}
            {...MACHINE_TEXT}
            value={draft.username}
            problem={problems.username}
            onChange={(event) => onChange({ username: event.target.value })}
          />
          <Field
            label={password.password}
            type="password"
            autoComplete="new-password"
            hint={hasStoredPassword ? password.keep : undefined}
            value={draft.password}
            problem={problems.password}
            onChange={(event) => onChange({ password: event.target.value })}
          />
        </div>
      )}
      <TextAreaField
        label={allowedIps.label}
        hint={allowedIps.hint}
        placeholder={allowedIps.placeholder}
        rows={2}
        {...MACHINE_TEXT}
        value={draft.allowedIps}
        problem={problems.allowedIps}
        onChange={(event) => onChange({ allowedIps: event.target.value })}
      />
    </div>
  );
}

type RedirectRowsProps = TrafficFieldsProps & { app: AppResource; baseDomain: string };

export function RedirectRows({ draft, problems, app, baseDomain, onChange }: RedirectRowsProps) {
  const { groups, redirects: texts } = MESSAGES;
  const own = hostsOf(app, baseDomain);
  // A domain that the app has lost stays in its setting until the owner removes it.
  const hosts = [...new Set([...own, ...draft.redirects.map(({ first }) => first)])];
  return (
    <PairRows
      title={groups.redirects}
      hint={texts.hint}
      problem={problems.redirects}
      rows={draft.redirects}
      initialFirst={own[0] ?? ''}
      texts={{ ...texts, first: texts.from, second: texts.to }}
      firstField={(field) => (
        <select
          {...pairProps(field)}
          className="h-9 min-w-0 flex-1 truncate rounded-box border border-line-strong bg-surface px-2 text-text hover:border-faint focus-visible:border-accent-ink focus-visible:outline-offset-0 aria-invalid:border-bad max-sm:basis-full pointer-coarse:h-10 pointer-coarse:text-base"
        >
          {hosts.map((host) => (
            <option key={host} value={host}>
              {host}
            </option>
          ))}
        </select>
      )}
      secondField={(field) => <PairInput field={field} placeholder={texts.placeholder} />}
      onChange={(redirects) => onChange({ redirects })}
    />
  );
}

export function HeaderRows({ draft, problems, onChange }: TrafficFieldsProps): ReactNode {
  const { groups, headers: texts } = MESSAGES;
  return (
    <PairRows
      title={groups.headers}
      hint={texts.hint}
      problem={problems.headers}
      rows={draft.headers}
      texts={{ ...texts, first: texts.name, second: texts.value }}
      firstField={(field) => (
        <PairInput field={field} placeholder={texts.namePlaceholder} isFullRow />
      )}
      secondField={(field) => <PairInput field={field} placeholder={texts.valuePlaceholder} />}
      onChange={(headers) => onChange({ headers })}
    />
  );
}

export function LimitFields({ draft, problems, onChange }: TrafficFieldsProps) {
  const { maxBody, timeout } = MESSAGES;
  const limits = [
    { name: 'maxBodyMb', texts: maxBody },
    { name: 'timeoutSeconds', texts: timeout },
  ] as const;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {limits.map(({ name, texts }) => (
        <Field
          key={name}
          label={texts.label}
          hint={texts.hint}
          placeholder={texts.placeholder}
          inputMode="numeric"
          autoComplete="off"
          value={draft[name]}
          problem={problems[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      ))}
    </div>
  );
}

export function StickyField({ draft, onChange }: Omit<TrafficFieldsProps, 'problems'>) {
  const { label, hint } = MESSAGES.stickySessions;
  return (
    <div className={BOX}>
      <SwitchField
        label={label}
        hint={hint}
        isOn={draft.stickySessions}
        onChange={(stickySessions) => onChange({ stickySessions })}
      />
    </div>
  );
}

type HttpsGroupProps = Omit<TrafficFieldsProps, 'problems'> & { hasHttps: boolean };

const HTTPS_REDIRECTS: HttpsRedirect[] = ['automatic', 'always', 'never'];

export function HttpsGroup({ draft, hasHttps, onChange }: HttpsGroupProps) {
  const texts = MESSAGES.https;
  return (
    <div className={BOX}>
      {!hasHttps && <p className="text-xs text-muted">{texts.missing}</p>}
      <SelectField
        label={texts.label}
        hint={texts.hints[draft.httpsRedirect]}
        value={draft.httpsRedirect}
        options={HTTPS_REDIRECTS.map((value) => ({ value, label: texts.options[value] }))}
        onChange={(httpsRedirect) => onChange({ httpsRedirect })}
      />
      <SwitchField
        label={texts.hsts}
        hint={texts.hstsHint}
        isOn={draft.hsts}
        onChange={(hsts) => onChange({ hsts })}
      />
    </div>
  );
}

type PairInputProps = { field: PairField; placeholder: string; isFullRow?: boolean };

function PairInput({ field, placeholder, isFullRow = false }: PairInputProps) {
  const width = isFullRow ? 'flex-1 max-sm:basis-full' : 'flex-1';
  return (
    <TextInput
      {...pairProps(field)}
      {...MACHINE_TEXT}
      placeholder={placeholder}
      className={`${width} font-mono text-[0.8125rem]`}
    />
  );
}

function pairProps({ value, label, isInvalid, describedBy, onChange }: PairField) {
  return {
    value,
    'aria-label': label,
    'aria-invalid': isInvalid,
    'aria-describedby': describedBy,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
}
