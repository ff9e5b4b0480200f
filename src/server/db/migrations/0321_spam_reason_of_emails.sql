-- Why a rule marked an email of an unknown sender as spam; empty if none did.
alter table received_mails add spam_reason text not null default '' check (char_length(spam_reason) <= 300);
