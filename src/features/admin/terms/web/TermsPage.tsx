import type { Reply } from '#shared/endpoint.ts'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { dayText } from '#shared/dates.ts'
import { terms, TermsFilters, type TermsRow } from '#features/admin/terms/contract.ts'
import { TermsBand } from '#features/admin/terms/web/TermsBand.tsx'
import { TermsState } from '#features/admin/terms/web/TermsState.tsx'
import { IfMay } from '#web/list/cells.tsx'
import { InboxPage } from '#web/list/inbox/InboxPage.tsx'
import type { InboxLines } from '#web/list/inbox/InboxRow.tsx'
import { inboxParameters } from '#web/list/inbox/useLayout.ts'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { TextLink } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const TermsPane = lazyPart(() => import('#features/admin/terms/web/TermsPane.tsx'))

const { open } = inboxParameters
const PageFilters = TermsFilters.extend({ open })
const nameOf = ({ id }: { id: number }) => `Version ${id}`

const termsList: ListOf<TermsRow, typeof PageFilters, Reply<typeof terms.list>> = {
  name: 'terms',
  endpoint: terms.list,
  filters: PageFilters,
  toQuery: ({ open: _open, ...rest }) => rest,
  columns: [],
  rowKey: ({ id }) => id,
  rowName: nameOf,
  addressOf: ({ id }) => `/term&conditions/${id}`,
}
export const prepareTerms = (search: Record<string, unknown>) => prepareList(termsList, search)

/** Page with the versions of the terms: when each applies, and its text beside the list. */
export function TermsPage() {
  const list = useList(termsList)
  const current = list.reply?.in_force?.id
  const newTerms = (
    <IfMay endpoint={terms.store}>
      <TextLink primary to="/term&conditions/new-terms" icon={<IconPlus size={14} aria-hidden />}>
        New version
      </TextLink>
    </IfMay>
  )
  return (
    <InboxPage
      list={list}
      actions={newTerms}
      above={list.reply && <TermsBand reply={list.reply} open={list.filters.open ?? current} />}
      empty={{
        title: 'No terms yet',
        text: 'Publish the first version and choose when it takes effect.',
        action: newTerms,
      }}
      lines={linesOf}
      Pane={TermsPane}
      nothingOpen={current === undefined ? 'No version open' : <TermsPane id={current} />}
    />
  )
}

const linesOf = (row: TermsRow): InboxLines => ({
  title: nameOf(row),
  shown: (
    <strong>
      {nameOf(row)} · effective {dayText(row.effective_on)}
    </strong>
  ),
  at: row.created_at,
  from: `Published by ${row.who}`,
  status: <TermsState state={row.state} />,
})
