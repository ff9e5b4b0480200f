-- People whom an email was addressed or copied to, besides its sender and our own addresses, when it arrived.
alter table received_mails add column other_addresses text[] not null default '{}';
