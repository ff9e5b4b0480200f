import { Suspense, useState } from 'react'
import { policies, whyNot } from '#features/cms/articles/rules.ts'
import { TagFilters, tags, type Tag } from '#features/cms/articles/tags/contract.ts'
import { tagFields } from '#features/cms/articles/tags/fields.ts'
import { useSend } from '#web/api/useSend.ts'
import { Card, NameLink, RowAction } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { ListPage } from '#web/list/ListPage.tsx'
import { useList, type ListOf } from '#web/list/useList.ts'
import { Moment } from '#web/Moment.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText } from '#web/time.ts'

const TagForm = lazyPart(() => import('#features/cms/articles/tags/web/TagForm.tsx'))

const addressOf = ({ slug }: Tag) => `/tags/${encodeURIComponent(slug)}/posts`

const columns = columnsOfFields<Tag, typeof tagFields>(tagFields, {
  name: {
    header: 'Tag',
    cell: (row) => <NameLink to={addressOf(row)}>{row.name}</NameLink>,
    title: ({ name }) => name,
  },
  total_posts: { cell: (row) => countText(row.total_posts) },
  updated_at: { cell: (row) => <Moment at={row.updated_at} /> },
})

const tagList: ListOf<Tag, typeof TagFilters> = {
  name: 'tags',
  type: 'tag',
  endpoint: tags.list,
  filters: TagFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ name }) => name,
  addressOf,
  card: (row) => tagCard(row),
  searchLabel: 'Search tags',
}

/** Page with all tags. A tag is created when a user adds it to a post. */
export function TagsPage() {
  const list = useList(tagList)
  return (
    <ListPage
      list={list}
      rowActions={tagActs}
      empty={{ title: 'No tags yet', text: 'Tags appear here when you add them to posts.' }}
    />
  )
}

const TagActs = ({ tag }: { tag: Tag }) => (
  <>
    <RenameTag tag={tag} />
    <DeleteTag tag={tag} />
  </>
)

const tagActs = (row: Tag) => <TagActs tag={row} />

const tagCard = (row: Tag) => (
  <Card
    title={<NameLink to={addressOf(row)}>{row.name}</NameLink>}
    aside={`${countText(row.total_posts)} posts`}
    actions={<TagActs tag={row} />}
  >
    {row.slug}
  </Card>
)

function DeleteTag({ tag }: { tag: Tag }) {
  const input = { params: { slug: String(tag.id) } }
  const { announceAct } = useUndo()
  const { send, sending } = useSend(tags.remove, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const why = whyNot(policies.tag.remove, useViewer())
  return (
    <RowAction
      whyNot={why}
      disabled={sending}
      onClick={() => void send(input)}
      aria-label={`Move to trash: ${tag.name}`}
    >
      Move to trash
    </RowAction>
  )
}

function RenameTag({ tag }: { tag: Tag }) {
  const [open, setOpen] = useState(false)
  const why = whyNot(policies.tag.update, useViewer())
  return (
    <>
      <RowAction whyNot={why} onClick={() => setOpen(true)} aria-label={`Rename ${tag.name}`}>
        Rename
      </RowAction>
      <Suspense>{open && <TagForm tag={tag} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
