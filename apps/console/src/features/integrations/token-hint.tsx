import { MESSAGES } from './messages.ts';

const words = MESSAGES.token;

type TokenHintProps = { page: string | undefined; scopes: string[] };

export function TokenHint({ page, scopes }: TokenHintProps) {
  return (
    <>
      {page === undefined ? (
        words.makeOne
      ) : (
        <a
          href={page}
          target="_blank"
          rel="noopener noreferrer"
          className="rounded text-accent-ink underline underline-offset-2"
        >
          {words.makeOneAt(new URL(page).host)}
        </a>
      )}{' '}
      {words.withScopes(scopes.length)} <ScopeNames scopes={scopes} />.
    </>
  );
}

function ScopeNames({ scopes }: { scopes: string[] }) {
  return scopes.map((scope, at) => (
    <span key={scope}>
      {at > 0 && words.and}
      <code className="font-mono text-text">{scope}</code>
    </span>
  ));
}
