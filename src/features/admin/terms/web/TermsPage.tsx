import type { Reply } from '#shared/endpoint.ts'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { dayText } from '#shared/dates.ts'
import { terms, TermsFilters, type TermsRow } from '#features/admin/terms/contract.ts'
import { TermsState } from '#features/admin/terms/web/TermsState.tsx'
import classes from '#features/admin/terms/web/terms.module.css'
import { Card, IfMay, NameLink } from '#web/list/cells.tsx'
import type { Column } from '#web/list/columns.ts'
import { ListPage } from '#web/list/ListPage.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { Moment } from '#web/Moment.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'

const addressOf = ({ id }: { id: number }) => `/term&conditions/${id}`
const nameOf = ({ id }: { id: number }) => `Version ${id}`

const columns: readonly Column<TermsRow>[] = [
  {
    id: 'id',
    header: 'Version',
    cell: (row) => <NameLink to={addressOf(row)}>{nameOf(row)}</NameLink>,
    width: 160,
    always: true,
  },
  {
    id: 'effective_on',
    header: 'Effective date',
    cell: ({ effective_on }) => dayText(effective_on),
    width: 150,
  },
  { id: 'state', header: 'Status', cell: ({ state }) => <TermsState state={state} />, width: 150 },
  { id: 'who', header: 'Published by', cell: ({ who }) => who, width: 200 },
  {
    id: 'created_at',
    header: 'Published',
    cell: ({ created_at }) => <Moment at={created_at} />,
    align: 'right',
    width: 150,
  },
]

const termsList: ListOf<TermsRow, typeof TermsFilters, Reply<typeof terms.list>> = {
  name: 'terms',
  endpoint: terms.list,
  filters: TermsFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: nameOf,
  addressOf,
  card: (row) => termsCard(row),
}
export const prepareTerms = (search: Record<string, unknown>) => prepareList(termsList, search)

/** Page that lists the versions of the terms and shows which one is current. */
export function TermsPage() {
  const list = useList(termsList)
  const { in_force = null, next = null } = list.reply ?? {}
  const newTerms = (
    <IfMay endpoint={terms.store}>
      <TextLink primary to="/term&conditions/new-terms" icon={<IconPlus size={14} aria-hidden />}>
        New version
      </TextLink>
    </IfMay>
  )
  return (
    <ListPage
      list={list}
      actions={newTerms}
      empty={{
        title: 'No terms yet',
        text: 'Publish the first version and choose when it takes effect.',
        action: newTerms,
      }}
    >
      {in_force && (
        <p className={classes.facts} role="status">
          <span>
            In effect: <PageLink to={addressOf(in_force)}>{nameOf(in_force)}</PageLink>, since{' '}
            {dayText(in_force.effective_on)}.
          </span>
          {next && (
            <span>
              Next: <PageLink to={addressOf(next)}>{nameOf(next)}</PageLink>, effective{' '}
              {dayText(next.effective_on)}.
            </span>
          )}
        </p>
      )}
    </ListPage>
  )
}

const termsCard = (row: TermsRow) => (
  <Card
    title={<NameLink to={addressOf(row)}>{nameOf(row)}</NameLink>}
    aside={<TermsState state={row.state} />}
  >
    From {dayText(row.effective_on)} · {row.who}
  </Card>
)
