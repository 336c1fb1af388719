-- The accounts at certificate authorities, by the URL of their directory.
create table deploy.acme_accounts (
  directory text primary key,
  sealed_key text not null
);

-- One row per host name that has or needs a certificate. Who may see it follows from the app that serves the name.
create table deploy.certificates (
  domain text primary key,
  -- The certificate with its intermediates and its key. Null before the first one is issued.
  chain text,
  sealed_key text,
  not_before timestamptz,
  not_after timestamptz,
  renew_at timestamptz,
  -- An order in progress, with the key of the certificate that it leads to.
  order_id bigint,
  order_url text,
  order_started_at timestamptz,
  sealed_order_key text,
  -- Failures since the last success, and when to try again.
  attempts integer not null default 0,
  next_try_at timestamptz,
  failure jsonb,
  -- When a request for the name was last seen to arrive at this server.
  arrived_at timestamptz,
  check ((chain is null) = (sealed_key is null) and (chain is null) = (not_after is null)),
  check ((order_id is null) = (sealed_order_key is null))
);

-- What counts for the limits of orders. Deleted after the longest of them.
create table deploy.certificate_orders (
  id bigint primary key generated always as identity,
  domain text not null,
  -- Null: the order is for the console.
  user_id uuid,
  is_generated boolean not null,
  is_renewal boolean not null,
  at timestamptz not null
);
create index on deploy.certificate_orders (at);
