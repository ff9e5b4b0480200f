import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Reply } from '#shared/endpoint.ts'
import { mentions } from '#features/panel/mentions/contract.ts'
import classes from '#features/panel/mentions/web/Mentions.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

type Mention = Reply<typeof mentions.list>['data'][number]

/** Mentions of the viewer by others, newest first. Closing the list marks the displayed mentions as read. */
export default function Mentions({ onClose }: { onClose: () => void }) {
  const query = useQuery({ ...queryOptionsFor(mentions.list), staleTime: 0 })
  const { send } = useSend(mentions.read, { refresh: [mentions.list] })
  const dialog = useDialog()
  const close = () => {
    const newest = query.data?.data[0]
    if (newest && query.data?.unread) void send({ body: { id: newest.id } })
    onClose()
  }
  return (
    <Modal {...dialog} opened onClose={close} title="Mentions" size="md">
      <Loaded query={query} skeleton={<p role="status">Loading…</p>}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No mentions yet">Comments that mention you appear here.</EmptyState>
          ) : (
            <ul className={classes.list}>
              {data.map((one) => (
                <OneMention key={one.id} mention={one} onOpen={close} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Modal>
  )
}

function OneMention({
  mention: { who, record_type, record_id, title, words, created_at, read_at },
  onOpen,
}: {
  mention: Mention
  onOpen: () => void
}) {
  const to = recordAddress(record_type, record_id, useViewer(), title)
  return (
    <li className={classes.one} data-unread={read_at === null || undefined}>
      <p className={classes.head}>
        <strong>{who}</strong> in{' '}
        {to === undefined ? (
          title
        ) : (
          <PageLink to={to} className={classes.title} onClick={onOpen}>
            {title}
          </PageLink>
        )}
        {read_at === null && <span className={classes.new}>New</span>}
      </p>
      <p className={classes.words}>{words}</p>
      <p className={classes.soft}>
        <Moment at={created_at} />
      </p>
    </li>
  )
}
