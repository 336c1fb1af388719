import type { OperatorService } from '@longshore/client';
import { SIGN_UP_MODES, type SignUpMode, type SignUpState } from '@longshore/contract';
import { type FormEvent, useCallback, useState } from 'react';
import { useQuery } from '../../client/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { MESSAGES } from './messages.ts';
import { QueryCard } from './query-card.tsx';
import { useChange } from './use-change.ts';

const { signUp: TEXTS } = MESSAGES;
const MODES = SIGN_UP_MODES.map((value) => ({ value, label: TEXTS.modes[value] }));

/** Who may create an account. */
export function SignUpCard({ operator }: { operator: OperatorService }) {
  const load = useCallback((signal: AbortSignal) => operator.signUp({ signal }), [operator]);
  const query = useQuery(load);
  return (
    <QueryCard title={TEXTS.title} skeleton="h-28" query={query}>
      {(state) =>
        state.isConfigured ? (
          <div className="grid gap-1 p-4">
            <p className="font-medium">{TEXTS.modes[state.mode]}</p>
            {state.domains.length > 0 && <p className="break-words">{state.domains.join(', ')}</p>}
            <p className="text-muted">{TEXTS.configured}</p>
          </div>
        ) : (
          <SignUpForm operator={operator} state={state} onSaved={query.reload} />
        )
      }
    </QueryCard>
  );
}

type SignUpFormProps = { operator: OperatorService; state: SignUpState; onSaved(): void };

function SignUpForm({ operator, state, onSaved }: SignUpFormProps) {
  const [mode, setMode] = useState<SignUpMode>(state.mode);
  const [domains, setDomains] = useState(state.domains.join(', '));
  const change = useChange(operator.changeSignUp, TEXTS.saved);

  async function save(): Promise<void> {
    const written = domains.split(',').map((domain) => domain.trim());
    const rule = { mode, domains: mode === 'domains' ? written.filter((it) => it !== '') : [] };
    const saved = await change.run(rule);
    if (saved === undefined) return;
    setDomains(saved.data.domains.join(', '));
    onSaved();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!change.isBusy) void save();
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4 p-4">
      <SelectField
        label={TEXTS.mode}
        hint={TEXTS.hints[mode]}
        value={mode}
        options={MODES}
        onChange={(value) => setMode(value as SignUpMode)}
      />
      {mode === 'domains' && (
        <Field
          label={TEXTS.domains}
          hint={TEXTS.domainsHint}
          autoComplete="off"
          spellCheck={false}
          value={domains}
          onChange={(event) => setDomains(event.target.value)}
        />
      )}
      <div>
        <Button kind="primary" type="submit" isBusy={change.isBusy}>
          {TEXTS.save}
        </Button>
      </div>
    </form>
  );
}
