-- When and how the user of a session last proved their identity: at sign-in, or later in the session. Null for sessions
-- from before this migration, whose users prove it again.
alter table auth.refresh_tokens
  add column proved_at timestamptz,
  add column proved_by text;

-- A code that proves identity is valid in one session only, and its wrong attempts count in that session only.
alter table auth.one_time_codes
  add column session_id uuid references auth.refresh_tokens on delete cascade,
  drop constraint one_time_codes_pkey;
create unique index on auth.one_time_codes (user_id, channel) where session_id is null;
create unique index on auth.one_time_codes (session_id, channel) where session_id is not null;
