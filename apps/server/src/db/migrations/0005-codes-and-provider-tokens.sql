-- What a redirect carries in place of a refresh token: good once, and only with the verifier of its challenge.
create table auth.exchange_codes (
  code_hash bytea primary key,
  user_id uuid not null references auth.users on delete cascade,
  code_challenge text not null,
  expires_at timestamptz not null
);
create index on auth.exchange_codes (user_id);

-- What a provider handed out for a user, sealed, until the user fetches it.
create table auth.provider_sessions (
  user_id uuid not null references auth.users on delete cascade,
  provider text not null,
  sealed_tokens text not null,
  expires_at timestamptz not null,
  primary key (user_id, provider)
);

-- A session that was opened with a personal access token ends with it.
alter table auth.refresh_tokens
  add column personal_access_token_id uuid references auth.personal_access_tokens on delete cascade;
create index on auth.refresh_tokens (personal_access_token_id) where personal_access_token_id is not null;
