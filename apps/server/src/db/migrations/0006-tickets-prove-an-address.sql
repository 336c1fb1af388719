-- A link proves the address it was mailed to and no other. Null: the ticket was not mailed.
alter table auth.tickets add column address text;
update auth.tickets set address =
  case purpose when 'emailConfirmChange' then users.new_email else users.email end
  from auth.users where users.id = tickets.user_id and tickets.purpose <> 'mfaTotp';
