import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { mailboxes, type MailboxRow } from '#features/admin/mail-settings/mailboxes.contract.ts'
import classes from '#features/admin/mail-settings/web/incoming.module.css'
import { MailTabs } from '#features/admin/mail-settings/web/MailTabs.tsx'
import type { Reply } from '#shared/endpoint.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { Moment } from '#web/Moment.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'

const MailboxForm = lazyPart(() => import('#features/admin/mail-settings/web/MailboxForm.tsx'), 'MailboxForm')

type Opened = MailboxRow | 'new'

/** Mailboxes that are read over IMAP, with their state. */
export function MailboxesPage() {
  const [opened, setOpened] = useState<Opened>()
  const may = useMay(mailboxes.list)
  const query = useQuery({ ...queryOptionsFor(mailboxes.list), enabled: may })
  if (!may)
    return (
      <>
        <PageHeader />
        <NoAccess>Only Super Admins and Admins can view mailboxes.</NoAccess>
      </>
    )
  return (
    <>
      <PageHeader parents={[['/settings/mail', 'Email']]}>
        <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setOpened('new')}>
          New mailbox
        </Button>
      </PageHeader>
      <MailTabs />
      <Loaded query={query}>
        {(reply) => (
          <>
            <MailboxList reply={reply} onOpen={setOpened} />
            {opened !== undefined && (
              <Suspense>
                <MailboxForm
                  mailbox={opened === 'new' ? undefined : opened}
                  canStore={reply.can_store}
                  onClose={() => setOpened(undefined)}
                />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

function MailboxList({
  reply: { data, inbound_address },
  onOpen,
}: {
  reply: Reply<typeof mailboxes.list>
  onOpen: (mailbox: MailboxRow) => void
}) {
  return (
    <div className={classes.page}>
      <p className={classes.hint}>
        {inbound_address === null
          ? 'Replies go to the authors of emails, because INBOUND_ADDRESS isn’t set.'
          : `Replies arrive at ${inbound_address}, with a secret for each email after a plus sign.`}
      </p>
      {data.length === 0 ? (
        <EmptyState title="No mailboxes yet">
          Email that arrives in a mailbox is filed under its ticket, lead, or user. Add the first one.
        </EmptyState>
      ) : (
        <ul className={classes.cards} aria-label="Mailboxes">
          {data.map((mailbox) => (
            <MailboxCard key={mailbox.id} mailbox={mailbox} onEdit={() => onOpen(mailbox)} />
          ))}
        </ul>
      )}
    </div>
  )
}

function MailboxCard({ mailbox, onEdit }: { mailbox: MailboxRow; onEdit: () => void }) {
  const { id, address, host, port, unknown_becomes, received_today, last_received_at, error, secret_from } =
    mailbox
  const { send, sending } = useSend(mailboxes.remove, {
    onDone: ({ message }) => toast.success(message),
  })
  const remove = async () => {
    const detail = 'Its emails stay where they are filed, and in the mailbox.'
    if (await askToProceed(`Remove ${address}?`, { detail })) await send({ params: { id } })
  }
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <strong>{address}</strong>
        <MailboxState mailbox={mailbox} />
        <span className={classes.acts}>
          <RowAction onClick={onEdit} aria-label={`Edit ${address}`}>
            Edit
          </RowAction>
          <RowAction disabled={sending} onClick={() => void remove()} aria-label={`Remove ${address}`}>
            Remove
          </RowAction>
        </span>
      </div>
      <dl className={classes.facts}>
        <dt>Server</dt>
        <dd>{`${host}:${port}`}</dd>
        <dt>Email that can’t be filed</dt>
        <dd>{unknown_becomes === 'ticket' ? 'Becomes a ticket' : 'Waits in Unsorted'}</dd>
        <dt>Last received</dt>
        <dd>{last_received_at === null ? 'Never' : <Moment at={last_received_at} />}</dd>
        <dt>Last 24 hours</dt>
        <dd>{received_today}</dd>
        <dt>Password</dt>
        <dd>
          {secret_from === null
            ? 'Missing'
            : secret_from === 'database'
              ? 'Stored, encrypted'
              : 'From the environment'}
        </dd>
      </dl>
      {mailbox.is_on && error !== '' && (
        <p className={classes.error} role="status">
          {`This mailbox isn’t being read. ${error} Nothing is lost: new email waits in the mailbox.`}
        </p>
      )}
    </li>
  )
}

function MailboxState({ mailbox: { is_on, state } }: { mailbox: MailboxRow }) {
  if (!is_on) return <Tone tone="gray">Off</Tone>
  if (state === 'connected') return <Tone tone="green">Connected</Tone>
  return state === 'failed' ? <Tone tone="red">Failed</Tone> : <Tone tone="yellow">Connecting</Tone>
}
