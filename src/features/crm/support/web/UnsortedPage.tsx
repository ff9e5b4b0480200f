import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { z } from 'zod'
import { shelves, unsorted, UnsortedFilters, type Shelf } from '#features/crm/emails/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { receivedKinds, type ReceivedRow } from '#shared/received-mails.ts'
import { recordTypes, isRecordType } from '#shared/records.ts'
import { InboxPage } from '#web/list/inbox/InboxPage.tsx'
import type { InboxLines } from '#web/list/inbox/InboxRow.tsx'
import { inboxParameters } from '#web/list/inbox/useLayout.ts'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { FilterTab, FilterTabs } from '#web/parts/Tabs.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const BlockedSenders = lazyPart(() => import('#features/crm/support/web/BlockedSenders.tsx'))
const SettleEmails = lazyPart(() => import('#features/crm/support/web/SettleEmails.tsx'))
const UnsortedPane = lazyPart(() => import('#features/crm/support/web/UnsortedPane.tsx'))

const { open } = inboxParameters
const PageFilters = UnsortedFilters.extend({ open })
type PageFilters = z.output<typeof PageFilters>

const unsortedList: ListOf<ReceivedRow, typeof PageFilters, Reply<typeof unsorted.list>> = {
  name: 'unsorted-emails',
  endpoint: unsorted.list,
  filters: PageFilters,
  toQuery: ({ open: _open, ...rest }) => rest,
  columns: [],
  rowKey: ({ id }) => id,
  rowName: ({ subject }) => subject || '(no subject)',
  addressOf: ({ id, state }) => `/support/unsorted?state=${state}&open=${id}`,
  searchLabel: 'Search sender, subject, or words',
  isSelectable: false,
}

/** Emails that a person sorted, or that wait for it, can be sorted together. */
const sortableList: typeof unsortedList = { ...unsortedList, isSelectable: true }
const sortable: readonly Shelf[] = ['unsorted', 'spam', 'done']
export const prepareUnsorted = (search: Record<string, unknown>) => prepareList(unsortedList, search)

/** Emails that belong to no record yet, and those that need no answer, with the open one beside the list. */
export function UnsortedPage() {
  const { state: chosen = 'unsorted' } = useSearch({ strict: false }) as { state?: Shelf }
  const list = useList(sortable.includes(chosen) ? sortableList : unsortedList)
  const { state } = list.filters
  return (
    <InboxPage
      list={list}
      actions={state === 'spam' && <Blocked />}
      above={
        <FilterTabs label="State">
          {(Object.keys(shelves) as Shelf[]).map((one) => (
            <FilterTab
              key={one}
              isCurrent={one === state}
              {...(one === 'unsorted' && list.reply ? { count: String(list.reply.waiting) } : {})}
              onClick={() => void list.filterBy({ state: one, open: undefined, page: 1 })}
            >
              {shelves[one]}
            </FilterTab>
          ))}
        </FilterTabs>
      }
      empty={
        state === 'unsorted'
          ? { title: 'Nothing to sort', text: 'Emails that belong to no ticket, lead, or user appear here.' }
          : { title: `No emails under ${shelves[state]}`, text: 'Emails with this state appear here.' }
      }
      bulk={
        <Suspense>
          <SettleEmails
            ids={list.selection.ids}
            isSorted={state !== 'unsorted'}
            onDone={() => void list.keepSelected()}
          />
        </Suspense>
      }
      canSelectAll={false}
      lines={linesOf}
      Pane={UnsortedPane}
      nothingOpen="No email open"
    />
  )
}

/** Opens the list of blocked senders. */
function Blocked() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Blocked senders
      </Button>
      {isOpen && (
        <Suspense>
          <BlockedSenders onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const linesOf = (row: ReceivedRow): InboxLines => ({
  title: row.from_name || row.from_address || 'No sender',
  at: row.received_at,
  from: row.subject || '(no subject)',
  status: row.kind === 'message' ? null : <Tone tone="gray">{receivedKinds[row.kind]}</Tone>,
  note: placeWords(row) ?? (row.spam_reason || row.excerpt),
})

/** Returns where an email is filed, such as `Filed under ticket #145`. */
function placeWords({
  record_type: type,
  record_id: id,
  record_name: name,
}: ReceivedRow): string | undefined {
  if (type === null || id === null || !isRecordType(type)) return undefined
  return `Filed under ${recordTypes[type].one} ${type === 'ticket' ? `#${id}` : (name ?? '')}`.trim()
}
