import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { ConnectForm } from './connect-form.tsx';
import { MESSAGES } from './messages.ts';
import { type KnownRegistry, type RegistryKind, useRegistryForm } from './use-registry-form.ts';

const { account: TEXTS } = MESSAGES;

const CHOICES: { value: RegistryKind; label: string }[] = [
  { value: 'dockerhub', label: TEXTS.registries.dockerhub },
  { value: 'registry', label: TEXTS.registries.registry },
];

/** Username and password, or an access token instead of the password. */
export function RegistryForm(known: KnownRegistry) {
  const form = useRegistryForm(known);
  return (
    <ConnectForm
      fields={{ host: form.host, username: form.username, password: form.password }}
      openedFields={{ host: known.host ?? '', username: known.username, password: '' }}
      failure={form.failure}
      isBusy={form.isBusy}
      onSubmit={() => void form.submit()}
    >
      <div>
        <Segmented<RegistryKind>
          label={TEXTS.registry}
          value={form.kind}
          options={CHOICES}
          onChange={form.setKind}
        />
      </div>
      {form.kind === 'registry' && (
        <Field
          label={TEXTS.host}
          placeholder={TEXTS.hostExample}
          hint={TEXTS.hostHint}
          autoComplete="off"
          spellCheck={false}
          value={form.host}
          problem={form.problems.host}
          onChange={(event) => form.setHost(event.target.value)}
        />
      )}
      <Field
        label={TEXTS.username}
        autoComplete="off"
        spellCheck={false}
        value={form.username}
        problem={form.problems.username}
        onChange={(event) => form.setUsername(event.target.value)}
      />
      <Field
        label={TEXTS.password}
        type="password"
        autoComplete="off"
        hint={TEXTS.passwordHint}
        value={form.password}
        problem={form.problems.password}
        onChange={(event) => form.setPassword(event.target.value)}
      />
    </ConnectForm>
  );
}
