import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { TextInput } from '@mantine/core'
import { bounces } from '#features/admin/mail-settings/bounces.contract.ts'
import classes from '#features/admin/mail-settings/web/incoming.module.css'
import { MailTabs } from '#features/admin/mail-settings/web/MailTabs.tsx'
import type { Reply } from '#shared/endpoint.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { Pager } from '#web/list/Pager.tsx'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { Moment } from '#web/Moment.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'
import { NoAccess } from '#web/states/NoAccess.tsx'
import { countText } from '#web/time.ts'

type BounceRow = Reply<typeof bounces.list>['data'][number]

/** Addresses that bounced or complained, and numbers of the last 30 days. */
export function BouncesPage() {
  const [page, setPage] = useState(1)
  const [search, setSearch] = useState('')
  const may = useMay(bounces.list)
  const query = useQuery({
    ...queryOptionsFor(bounces.list, { query: { page, search } }),
    enabled: may,
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeader parents={[['/settings/mail', 'Email']]} />
      {may && <MailTabs />}
      {may ? (
        <div className={classes.page}>
          <TextInput
            aria-label="Search address"
            placeholder="Search address"
            value={search}
            maxLength={200}
            onChange={({ currentTarget }) => {
              setSearch(currentTarget.value)
              setPage(1)
            }}
          />
          <Loaded query={query}>
            {(reply) => <BounceList reply={reply} page={page} onPage={setPage} isSearch={search !== ''} />}
          </Loaded>
        </div>
      ) : (
        <NoAccess>Only Super Admins and Admins can view bounces.</NoAccess>
      )}
    </>
  )
}

interface ListProps {
  reply: Reply<typeof bounces.list>
  page: number
  onPage: (page: number) => void
  isSearch: boolean
}

function BounceList({ reply: { data, total, per_page, last_30_days }, page, onPage, isSearch }: ListProps) {
  const { sent, hard, soft, complaints } = last_30_days
  const numbers = [
    ['Bounced, 30 days', `${countText(hard + soft)} of ${countText(sent)} sent`],
    ['Address doesn’t exist', countText(hard)],
    ['Mailbox full or slow', countText(soft)],
    ['Complaints', countText(complaints)],
  ] as const
  return (
    <>
      <dl className={classes.numbers}>
        {numbers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {data.length === 0 ? (
        <EmptyState title={isSearch ? 'No results' : 'No bounces yet'}>
          Addresses to which email couldn’t be delivered appear here.
        </EmptyState>
      ) : (
        <ul className={classes.cards} aria-label="Bounced addresses">
          {data.map((row) => (
            <Bounce key={row.address} row={row} />
          ))}
        </ul>
      )}
      <Pager total={total} perPage={per_page} page={page} onPage={onPage} />
      <Soft small>
        An address is marked at the first hard bounce or the third soft one. Nothing more is sent to it until
        it is marked as valid.
      </Soft>
    </>
  )
}

function Bounce({ row }: { row: BounceRow }) {
  const { address, marked, kind, soft_count, error, last_at, belongs_to } = row
  const viewer = useViewer()
  const { send, sending } = useSend(bounces.clear, {
    onDone: ({ message }) => toast.success(message),
  })
  const state = marked ? 'Bounced' : kind === 'complaint' ? 'Complained' : `${soft_count} of 3 soft bounces`
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <strong>{address}</strong>
        <Tone tone={marked || kind === 'complaint' ? 'red' : 'yellow'}>{state}</Tone>
        <span className={classes.acts}>
          <Moment at={last_at} />
          <RowAction
            disabled={sending}
            aria-label={`Mark ${address} as valid`}
            onClick={() => void send({ body: { address } })}
          >
            Mark as valid
          </RowAction>
        </span>
      </div>
      <p className={classes.said}>{error}</p>
      {belongs_to.length > 0 && (
        <p className={classes.said}>
          {belongs_to.map(({ type, id, name }, index) => {
            const to = recordAddress(type, id, viewer, name)
            return (
              <span key={`${type}-${id}`}>
                {index > 0 && ', '}
                {to ? <PageLink to={to}>{name}</PageLink> : name}
              </span>
            )
          })}
        </p>
      )}
    </li>
  )
}
