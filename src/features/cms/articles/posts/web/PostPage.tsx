import { Suspense, useState } from 'react'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { useParams } from '@tanstack/react-router'
import { PostComments } from '#features/cms/articles/comments/web/PostComments.tsx'
import { policies } from '#features/cms/articles/rules.ts'
import { posts, type Post } from '#features/cms/articles/posts/contract.ts'
import { AuthorLink } from '#features/cms/articles/posts/web/AuthorLink.tsx'
import { DeletePost, PublishPost, useWhyNot } from '#features/cms/articles/posts/web/PostActions.tsx'
import { ArticleMain } from '#features/cms/articles/shared/web/ArticleFrame.tsx'
import { useUnpublishedPosts } from '#features/cms/articles/posts/web/useLinksToPosts.tsx'
import { ArticlePreview } from '#features/cms/articles/shared/web/ArticlePreview.tsx'
import { postFields } from '#features/cms/articles/posts/fields.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { useStaff } from '#web/filter/useOptions.ts'
import { Facts } from '#web/record/Facts.tsx'
import { LiveMailProgress } from '#web/mail/MailProgress.tsx'
import { RecordLayout, RecordPage } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { useBackToList } from '#web/record/useBackToList.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { Select, TextLink } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useProductOfRecord } from '#web/shell/shownProduct.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const AssignTags = lazyPart(() => import('#features/cms/articles/posts/web/AssignTags.tsx'))

/** Page that shows a post as readers see it, with its actions. */
export function PostPage() {
  const { post = '' } = useParams({ strict: false }) as { post?: string }
  return (
    <RecordPage<{ data: Post }>
      asked={queryOptionsFor(posts.show, { params: { slug: post } })}
      title="Post"
      kept={({ data }) => ({ type: 'post', id: data.id })}
    >
      {({ data }) => <ShowPost post={data} />}
    </RecordPage>
  )
}

function ShowPost({ post }: { post: Post }) {
  useProductOfRecord(post.product_id)
  const backToList = useBackToList('/posts')
  const mayEdit = useMay(posts.update)
  const why = useWhyNot(policies.post.update, post)
  const unpublished = useUnpublishedPosts(post.body, post.product_id)
  return (
    <>
      <RecordHeader type="post" id={post.id} title={post.title} parents={[['/posts', 'Posts']]}>
        <PublishPost post={post} />
        <DeletePost post={post} onDone={backToList} />
        {mayEdit &&
          (why === undefined ? (
            <TextLink
              primary
              to={`/posts/update-post/${encodeURIComponent(post.slug)}`}
              icon={<IconPencil size={14} aria-hidden />}
            >
              Edit
            </TextLink>
          ) : (
            <Soft as="span">Editing: {why}</Soft>
          ))}
      </RecordHeader>
      <RecordLayout timeline={<Timeline type="post" id={post.id} fields={postFields} />}>
        <ArticleMain>
          <ArticlePreview
            article={post}
            unpublished={unpublished}
            author={<AuthorLink author={post.author} />}
          >
            <PageLink to={`/categories/${encodeURIComponent(post.category_slug)}/posts`}>
              {post.category_title}
            </PageLink>
            {post.tags.map((name) => (
              <span key={name}>#{name}</span>
            ))}
          </ArticlePreview>
          <Facts
            title="About this post"
            facts={[
              { name: 'URL', value: `/posts/${post.slug}` },
              { name: 'Old slugs', value: post.old_slugs.join(', ') },
              { name: postFields.author_id.label, value: <PostAuthor post={post} /> },
              { name: postFields.tags.label, value: <PostTagNames post={post} /> },
              { name: postFields.featured.label, value: post.featured === 1 && 'Yes' },
              { name: 'Shown on dashboard', value: post.show_in_admin === 1 && 'Yes' },
              { name: 'Email when first published', value: post.send_email === 1 && 'Yes' },
              { name: postFields.meta_title.label, value: post.meta_title },
              { name: postFields.meta_description.label, value: post.meta_description },
              { name: postFields.meta_keyword.label, value: post.meta_keyword },
            ]}
          />
          {post.mail_id !== null && <LiveMailProgress id={post.mail_id} />}
          <PostComments post={post} />
        </ArticleMain>
      </RecordLayout>
    </>
  )
}

/** The tags of a post; users who can move it to the trash can also change its tags (B §6). */
function PostTagNames({ post }: { post: Post }) {
  const [open, setOpen] = useState(false)
  const input = { params: { slug: String(post.id) }, query: { product_id: post.product_id } }
  const why = useWhyNot(policies.post.assignTags, post)
  const may = useMay(posts.assignTags, { ...input, body: { tags: [] } }) && why === undefined
  const names = post.tags.map((name) => `#${name}`).join(' ')
  return (
    <>
      {names || 'No tags'}{' '}
      {may && (
        <RowAction onClick={() => setOpen(true)} aria-label={`Edit tags: ${post.title}`}>
          Edit tags
        </RowAction>
      )}
      {open && (
        <Suspense>
          <AssignTags post={post} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The author of a post, which roles 0 and 1 can change. */
function PostAuthor({ post }: { post: Post }) {
  const [wanted, setWanted] = useState<number>()
  const staff = useStaff(post.product_id)
  const input = { params: { slug: String(post.id) }, query: { product_id: post.product_id } }
  const { announceAct } = useUndo()
  const { send } = useSend(posts.handOver, {
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      setWanted(undefined)
    },
  })
  const may = useMay(posts.handOver, { ...input, body: { author_id: 1 } })
  if (!may) return post.author.name
  return (
    <Select
      label="Author"
      value={String(wanted ?? post.author.id)}
      options={[
        ...(staff.some(({ id }) => id === post.author.id)
          ? []
          : [[String(post.author.id), post.author.name] as const]),
        ...staff.map(({ id, name }) => [String(id), name] as const),
      ]}
      onChoose={(id) => {
        setWanted(Number(id))
        void send({ ...input, body: { author_id: Number(id) } }).then(
          (reply) => reply ?? setWanted(undefined),
        )
      }}
    />
  )
}
