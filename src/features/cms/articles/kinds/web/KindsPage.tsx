import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { articleKindNames, articleKindRow, hasPart, type ArticleKindName } from '#shared/article-kinds.ts'
import { callsOf, KindFilters, type KindRow } from '#features/cms/articles/kinds/contract.ts'
import { DeleteArticle, PublishArticle } from '#features/cms/articles/kinds/web/KindActions.tsx'
import { partFieldsOf, type kindFields } from '#features/cms/articles/kinds/fields.ts'
import { addressIn } from '#features/cms/articles/kinds/web/kindAddress.ts'
import { useLogFailure } from '#features/cms/articles/kinds/web/logFailure.ts'
import { whenText } from '#features/cms/articles/event.rules.ts'
import { PublishedAt, PublishedState } from '#features/cms/articles/shared/web/PublishedState.tsx'
import { Card, IfMay, NameLink } from '#web/list/cells.tsx'
import { articleFields } from '#features/cms/articles/shared/fields.ts'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice } from '#web/filter/filters.tsx'
import { ListPage } from '#web/list/ListPage.tsx'
import { prepareList, useList, type List, type ListOf } from '#web/list/useList.ts'
import { asPairs, useStaff } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { useScope } from '#web/shell/useScope.ts'

type Kinds = ListOf<KindRow, typeof KindFilters>

const columnsOf = (kind: ArticleKindName) =>
  columnsOfFields<KindRow, typeof kindFields>(
    { ...articleFields, ...partFieldsOf(kind) } as typeof kindFields,
    {
      title: {
        cell: (row) => <NameLink to={addressIn(kind, row.slug)}>{row.title}</NameLink>,
        title: ({ title }) => title,
        width: hasPart(kind, 'time') ? 300 : 380,
      },
      starts: { cell: ({ starts = '', zone }) => starts && <span title={zone}>{whenText(starts)}</span> },
      published: { header: 'Status', cell: ({ published }) => <PublishedState published={published} /> },
      published_at: { header: 'Published', cell: (row) => <PublishedAt at={row.published_at} /> },
      featured: { cell: (row) => (row.featured === 1 ? 'Featured' : '') },
      updated_at: { cell: (row) => <Moment at={row.updated_at} /> },
    },
  )

const listOf = (kind: ArticleKindName): Kinds => ({
  name: kind,
  type: kind,
  endpoint: callsOf(kind).list,
  filters: KindFilters,
  columns: columnsOf(kind),
  rowKey: ({ id }) => id,
  rowName: ({ title }) => title,
  addressOf: ({ slug }) => addressIn(kind, slug),
  card: (row) => ofRow[kind].card(row),
  searchLabel: `Search ${articleKindRow(kind).many}`,
  scopedBy: 'product_id',
})

const lists = Object.fromEntries(articleKindNames.map((kind) => [kind, listOf(kind)])) as Record<
  ArticleKindName,
  Kinds
>

export const prepareKind = (kind: ArticleKindName) => (search: Record<string, unknown>) =>
  prepareList(lists[kind], search)

/**
 * Hides a failed call: depending on the kind, the list is empty or keeps its last rows, and no error is shown
 * (B §8, G80). A list that keeps its rows also returns to their filters, so that it never shows rows that
 * don't match them.
 */
function useQuietly(
  list: List<KindRow, typeof KindFilters>,
  kind: ArticleKindName,
): List<KindRow, typeof KindFilters> {
  const { error, rows, total, filters, stale } = list
  const [shown, setShown] = useState({ rows, total, filters })
  const keeps = articleKindRow(kind).failedList === 'keep'
  useLogFailure(error)
  const goBack = useEffectEvent(() => {
    if (!keeps || shown.rows === undefined || shown.filters === filters) return
    const none = Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]))
    void list.filterBy({ ...none, ...shown.filters }, { replace: true })
  })
  useEffect(() => {
    if (error) goBack()
  }, [error])
  if (!error) {
    if (rows !== undefined && !stale && rows !== shown.rows) setShown({ rows, total, filters })
    return list
  }
  const kept = keeps ? { rows: shown.rows ?? [], total: shown.total ?? 0 } : { rows: [], total: 0 }
  return { ...list, ...kept, error: null }
}

interface OfRow {
  kind: ArticleKindName
  row: KindRow
}

const KindActs = ({ kind, row }: OfRow) => (
  <>
    <PublishArticle kind={kind} article={row} />
    <DeleteArticle kind={kind} article={row} />
  </>
)

const KindCard = ({ kind, row }: OfRow) => (
  <Card
    title={<NameLink to={addressIn(kind, row.slug)}>{row.title}</NameLink>}
    aside={<PublishedState published={row.published} />}
    actions={<KindActs kind={kind} row={row} />}
  >
    {[row.starts && whenText(row.starts), row.author.name].filter(Boolean).join(' · ')}
  </Card>
)

/** Functions that render a row's actions and card, by kind. */
const ofRow = Object.fromEntries(
  articleKindNames.map((kind) => [
    kind,
    {
      acts: (row: KindRow) => <KindActs kind={kind} row={row} />,
      card: (row: KindRow) => <KindCard kind={kind} row={row} />,
    },
  ]),
) as Record<ArticleKindName, Record<'acts' | 'card', (row: KindRow) => ReactNode>>

/** List page for an article kind. */
export function KindsPage({ kind }: { kind: ArticleKindName }) {
  const { one, many } = articleKindRow(kind)
  const calls = callsOf(kind)
  const list = useQuietly(useList(lists[kind]), kind)
  const staff = useStaff(useScope())
  const newOne = (
    <IfMay endpoint={calls.create}>
      <TextLink primary to={`/${kind}/create`} icon={<IconPlus size={14} aria-hidden />}>
        New {one}
      </TextLink>
    </IfMay>
  )
  return (
    <ListPage
      list={list}
      actions={newOne}
      filters={[
        choice<KindFilters>('state', 'Status', 'All statuses', [
          [1, 'Published'],
          [0, 'Unpublished'],
        ]),
        choice<KindFilters>('author', 'Author', 'All authors', asPairs(staff)),
        choice<KindFilters>('featured', 'Featured', 'Featured: any', [[1, 'Featured']], { more: true }),
      ]}
      rowActions={ofRow[kind].acts}
      empty={{ title: `No ${many} yet`, text: 'Create the first one.', action: newOne }}
    />
  )
}
