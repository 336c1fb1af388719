import { MESSAGES } from './messages.ts';

const { token: TEXTS } = MESSAGES;

type TokenHintProps = { page: string | undefined; scopes: string[] };

export function TokenHint({ page, scopes }: TokenHintProps) {
  return (
    <>
      {page === undefined ? (
        TEXTS.createOne
      ) : (
        <a
          href={page}
          target="_blank"
          rel="noopener noreferrer"
          className="rounded text-accent-ink underline underline-offset-2"
        >
          {TEXTS.createOneAt(new URL(page).host)}
        </a>
      )}{' '}
      {TEXTS.withScopes(scopes.length)} <ScopeNames scopes={scopes} />.
    </>
  );
}

function ScopeNames({ scopes }: { scopes: string[] }) {
  return scopes.map((scope, at) => (
    <span key={scope}>
      {at > 0 && TEXTS.and}
      <code className="font-mono text-text">{scope}</code>
    </span>
  ));
}
