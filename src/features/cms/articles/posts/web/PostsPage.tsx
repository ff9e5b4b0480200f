import { isNotFound } from '#web/api/errors.ts'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import type { ReactNode } from 'react'
import { useParams } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { categories } from '#features/cms/articles/categories/contract.ts'
import { useCategoryFilter } from '#features/cms/articles/categories/web/categoryFilter.tsx'
import { findCategoriesOf } from '#features/cms/articles/categories/web/findCategories.ts'
import { PostFilters, posts, type PostRow } from '#features/cms/articles/posts/contract.ts'
import { postFields } from '#features/cms/articles/posts/fields.ts'
import { AuthorLink } from '#features/cms/articles/posts/web/AuthorLink.tsx'
import { DeletePost, PublishPost } from '#features/cms/articles/posts/web/PostActions.tsx'
import { PublishedAt, PublishedState } from '#features/cms/articles/shared/web/PublishedState.tsx'
import { tags } from '#features/cms/articles/tags/contract.ts'
import { hidesProduct } from '#shared/products.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Card, IfMay, NameLink } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice, days } from '#web/filter/filters.tsx'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { Selected } from '#web/list/Selected.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { asPairs, useStaff } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { product } from '#web/session.ts'
import { TextLink } from '#web/parts/controls.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { useScope } from '#web/shell/useScope.ts'

const addressOf = ({ slug }: PostRow) => `/posts/${encodeURIComponent(slug)}`

const columns = columnsOfFields<PostRow, typeof postFields>(postFields, {
  title: {
    cell: (row) => <NameLink to={addressOf(row)}>{row.title}</NameLink>,
    title: ({ title }) => title,
  },
  published: { header: 'Status', cell: ({ published }) => <PublishedState published={published} /> },
  published_at: { header: 'Published', cell: (row) => <PublishedAt at={row.published_at} /> },
  category: {
    cell: (row) => (
      <PageLink to={`/categories/${encodeURIComponent(row.category_slug)}/posts`}>
        {row.category_title}
      </PageLink>
    ),
  },
  author_id: { cell: ({ author }) => <AuthorLink author={author} /> },
  featured: { cell: (row) => (row.featured === 1 ? 'Featured' : '') },
  updated_at: { cell: (row) => <Moment at={row.updated_at} /> },
})

const shared = {
  type: 'post',
  filters: PostFilters,
  columns,
  rowKey: ({ id }: PostRow) => id,
  rowName: ({ title }: PostRow) => title,
  addressOf,
  card: (row: PostRow) => postCard(row),
  searchLabel: 'Search posts',
} as const
type Posts = ListOf<PostRow, typeof PostFilters>
const ofProduct = { ...shared, scopedBy: 'product_id' } as const
const allPosts: Posts = { ...ofProduct, name: 'posts', endpoint: posts.list }
const unpublishedPosts: Posts = { ...ofProduct, name: 'posts', endpoint: posts.unpublished }
const postsOfCategory: Posts = { ...ofProduct, name: 'posts', endpoint: posts.byCategory }
// Tags don't belong to a product, and their pages have no switcher (A §2).
const postsOfTag: Posts = { ...shared, name: 'posts', endpoint: posts.byTag }
const postsOfAuthor: Posts = { ...ofProduct, name: 'posts', endpoint: posts.byUser }

/** Prefetches a list, unless this page has no button for the product (docs/spec-gaps.md G48). */
const prepare = (of: Posts) => async (search: Record<string, unknown>) => {
  const scope = product()
  if (scope !== undefined && !hidesProduct('/posts', scope)) await prepareList(of, search)
}
export const preparePosts = prepare(allPosts)
export const prepareUnpublished = prepare(unpublishedPosts)

export const PostsPage = () => (
  <Scoped>
    <PostList of={allPosts} />
  </Scoped>
)

export const UnpublishedPostsPage = () => (
  <Scoped>
    <PostList of={unpublishedPosts} />
  </Scoped>
)

export function CategoryPostsPage() {
  const { category = '' } = useParams({ strict: false }) as { category?: string }
  const scope = useScope()
  const may = useMay(categories.post.show, { params: { id: category } })
  const { data, error } = useQuery({
    ...queryOptionsFor(categories.post.show, {
      params: { id: category },
      query: scope === undefined ? {} : { product_id: scope },
    }),
    enabled: may && scope !== undefined,
  })
  if (isNotFound(error)) return <NotFoundPage />
  const title = data ? `Posts in ${data.data.title}` : 'Posts by category'
  return (
    <Scoped title={title}>
      <PostList
        of={postsOfCategory}
        title={title}
        parents={[['/categories', 'Categories']]}
        params={{ category }}
      />
    </Scoped>
  )
}

export function TagPostsPage() {
  const { tag = '' } = useParams({ strict: false }) as { tag?: string }
  const { data, error } = useQuery(queryOptionsFor(tags.show, { params: { slug: tag } }))
  if (isNotFound(error)) return <NotFoundPage />
  return (
    <PostList
      of={postsOfTag}
      title={data ? `Posts tagged ${data.data.name}` : 'Posts by tag'}
      parents={[['/tags', 'Tags']]}
      params={{ tag }}
    />
  )
}

export function AuthorPostsPage() {
  const { user = '' } = useParams({ strict: false }) as { user?: string }
  const titleOf = (first: PostRow | undefined) =>
    first ? `Posts by ${first.author.name}` : 'Posts by author'
  return <PostList of={postsOfAuthor} title={titleOf} parents={[['/posts', 'Posts']]} params={{ user }} />
}

function Scoped({ title, children }: { title?: string; children: ReactNode }) {
  if (useScope() !== undefined) return children
  return (
    <>
      <PageHeader {...(title ? { title } : {})} />
      <EmptyState title="This product has no blog">Choose another product above.</EmptyState>
    </>
  )
}

interface Props {
  of: Posts
  /**
   * The title, or a function that derives it from the first row, for pages whose title is known only once the
   * rows are loaded.
   */
  title?: string | ((first: PostRow | undefined) => string)
  parents?: readonly (readonly [to: string, name: string])[]
  params?: Record<string, string>
}

function PostList({ of, title, parents, params }: Props) {
  const list = useList(of, params ? { params } : {})
  const product = useScope()
  const scope = of.scopedBy === undefined ? undefined : product
  const staff = useStaff(scope)
  const byCategory = useCategoryFilter<PostFilters>(
    findCategoriesOf('post', { product_id: scope }),
    list.filters.category,
  )
  const newPost = (
    <IfMay endpoint={posts.create}>
      <TextLink primary to="/posts/new-post" icon={<IconPlus size={14} aria-hidden />}>
        New post
      </TextLink>
    </IfMay>
  )
  const filters = [
    ...(of === unpublishedPosts
      ? []
      : [
          choice<PostFilters>('state', 'Status', 'All statuses', [
            [1, 'Published'],
            [0, 'Unpublished'],
          ]),
        ]),
    ...(of === postsOfCategory ? [] : [byCategory]),
    ...(of === postsOfAuthor
      ? []
      : [choice<PostFilters>('author', 'Author', 'All authors', asPairs(staff), { more: true })]),
    days<PostFilters>('published_from', 'published_to', 'Published', { more: true }),
    choice<PostFilters>('featured', 'Featured', 'Featured: any', [[1, 'Featured']], { more: true }),
  ]
  const heading = typeof title === 'function' ? title(list.rows?.[0]) : title
  return (
    <>
      <ListHead list={list} title={heading} parents={parents}>
        {newPost}
      </ListHead>
      <Filters list={list} filters={filters}>
        <Selected list={list} />
      </Filters>
      <ListTable
        list={list}
        label={heading}
        filters={filters}
        rowActions={postActs}
        empty={{ title: 'No posts to show', text: 'Create a post to get started.', action: newPost }}
      />
    </>
  )
}

const PostActs = ({ post }: { post: PostRow }) => (
  <>
    <PublishPost post={post} />
    <DeletePost post={post} />
  </>
)

const postActs = (row: PostRow) => <PostActs post={row} />

const postCard = (row: PostRow) => (
  <Card
    title={<NameLink to={addressOf(row)}>{row.title}</NameLink>}
    aside={<PublishedState published={row.published} />}
    actions={<PostActs post={row} />}
  >
    {row.category_title} · <AuthorLink author={row.author} />
  </Card>
)
