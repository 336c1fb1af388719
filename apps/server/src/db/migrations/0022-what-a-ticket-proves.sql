-- The sign-in that a ticket for the second factor continues: how it started and what it proved.
alter table auth.tickets add column sign_in jsonb;
