import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import type { z } from 'zod'
import { ticketFields } from '#features/crm/support/fields.ts'
import {
  SavedReplyFilters,
  savedReplies,
  type SavedReplyRow,
} from '#features/crm/support/saved-replies.contract.ts'
import { savedReplyAddress, usesText } from '#features/crm/support/web/saved-replies/savedReplyWords.ts'
import { choice } from '#web/filter/filters.tsx'
import { asPairs, useLists } from '#web/filter/useOptions.ts'
import { IfMay } from '#web/list/cells.tsx'
import { InboxPage } from '#web/list/inbox/InboxPage.tsx'
import type { InboxLines } from '#web/list/inbox/InboxRow.tsx'
import { inboxParameters } from '#web/list/inbox/useLayout.ts'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { TextLink } from '#web/parts/controls.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const SavedReplyPane = lazyPart(() => import('#features/crm/support/web/saved-replies/SavedReplyPane.tsx'))

const { open } = inboxParameters
const PageFilters = SavedReplyFilters.extend({ open })
type PageFilters = z.output<typeof PageFilters>

const savedReplyList: ListOf<SavedReplyRow, typeof PageFilters> = {
  name: 'saved replies',
  type: 'saved_reply',
  endpoint: savedReplies.list,
  filters: PageFilters,
  toQuery: ({ open: _open, ...rest }) => rest,
  columns: [],
  rowKey: ({ id }) => id,
  rowName: ({ name }) => name,
  addressOf: savedReplyAddress,
  searchLabel: 'Search saved replies',
}
export const prepareSavedReplies = (search: Record<string, unknown>) => prepareList(savedReplyList, search)

const newReply = (
  <IfMay endpoint={savedReplies.create} input={{ body: { name: '', content: '' } }}>
    <TextLink primary to="/support/saved-replies/new" icon={<IconPlus size={14} aria-hidden />}>
      New saved reply
    </TextLink>
  </IfMay>
)

/** The saved replies that everyone can use and the viewer's own, with the open one beside the list. */
export function SavedRepliesPage() {
  const list = useList(savedReplyList)
  const { ticket_categories } = useLists('ticket_categories')
  return (
    <InboxPage
      list={list}
      actions={newReply}
      filters={[
        choice<PageFilters>(
          'available',
          'Available to',
          'All',
          [
            ['shared', 'Everyone'],
            ['own', 'Only me'],
          ],
          { none: 'all' },
        ),
        choice<PageFilters>(
          'category',
          ticketFields.category.label,
          'All categories',
          asPairs(ticket_categories),
        ),
      ]}
      empty={{
        title: 'No saved replies yet',
        text: 'Save an answer that you give often, and insert it into a reply by typing / and its name.',
        action: newReply,
      }}
      lines={linesOf}
      Pane={SavedReplyPane}
      nothingOpen="No saved reply open"
    />
  )
}

const linesOf = (row: SavedReplyRow): InboxLines => ({
  title: row.name,
  at: row.last_used_at ?? row.updated_at,
  from: row.is_shared ? 'Everyone' : 'Only me',
  words: row.words,
  status: (
    <Soft as="span" small>
      {usesText(row.uses)}
    </Soft>
  ),
})
