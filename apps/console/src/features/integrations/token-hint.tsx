type TokenHintProps = { page: string | undefined; scopes: string[] };

export function TokenHint({ page, scopes }: TokenHintProps) {
  return (
    <>
      {page === undefined ? (
        'Make one in the settings of your account'
      ) : (
        <a
          href={page}
          target="_blank"
          rel="noopener noreferrer"
          className="rounded text-accent-ink underline underline-offset-2"
        >
          Make one at {new URL(page).host}
        </a>
      )}{' '}
      with the {scopes.length === 1 ? 'scope' : 'scopes'} <ScopeNames scopes={scopes} />.
    </>
  );
}

function ScopeNames({ scopes }: { scopes: string[] }) {
  return scopes.map((scope, at) => (
    <span key={scope}>
      {at > 0 && ' and '}
      <code className="font-mono text-text">{scope}</code>
    </span>
  ));
}
