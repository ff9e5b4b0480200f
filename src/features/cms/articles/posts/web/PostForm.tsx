import { useState } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Fields } from '#shared/field.ts'
import { CategoryField } from '#features/cms/articles/categories/web/CategoryField.tsx'
import { findCategoriesOf } from '#features/cms/articles/categories/web/findCategories.ts'
import { policies } from '#features/cms/articles/rules.ts'
import { NewPost, PostChange, posts, type Post } from '#features/cms/articles/posts/contract.ts'
import { postFields } from '#features/cms/articles/posts/fields.ts'
import { useWhyNot } from '#features/cms/articles/posts/web/PostActions.tsx'
import { TagsField, withTyped } from '#features/cms/articles/posts/web/TagsField.tsx'
import { useLinksToPosts } from '#features/cms/articles/posts/web/useLinksToPosts.tsx'
import { ArticleFields } from '#features/cms/articles/shared/web/ArticleFields.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import type { FieldValues } from '#web/form/fieldValues.ts'
import { FormPage } from '#web/form/FormPage.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { EmptyState } from '#web/list/states.tsx'
import { RecordPage } from '#web/record/RecordPage.tsx'
import { Presence } from '#web/record/Presence.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useScope } from '#web/shell/useScope.ts'

const parents = [['/posts', 'Posts']] as const

const formFields = {
  ...postFields,
  /** The tag that is still being entered; it is saved with the post too. */
  tag: { label: 'Tag', empty: '' },
} as const satisfies Fields
type PostForm = FieldsForm<typeof formFields>

const adapt = ({ tag, tags, ...sent }: { tag: string; tags?: unknown }) => ({
  ...sent,
  tags: withTyped(tags as string[], tag),
})
const addressOf = (slug: string) => `/posts/${encodeURIComponent(slug)}`

export function NewPostPage() {
  const scope = useScope()
  if (scope === undefined)
    return (
      <>
        <PageHeader parents={parents} />
        <EmptyState title="This product has no blog">Choose another product above.</EmptyState>
      </>
    )
  return <NewPostForm key={scope} scope={scope} />
}

function NewPostForm({ scope }: { scope: number }) {
  const navigate = useNavigate()
  const [made, setMade] = useState('')
  const { send } = useSend(posts.create, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(posts.create)
  const form = useRecordForm({
    name: `post-new-${scope}`,
    fields: formFields,
    schema: NewPost,
    adapt,
    create: async (body) => {
      const reply = await send({ query: { product_id: scope }, body })
      if (!reply) return undefined
      setMade(reply.data.slug)
      void navigate({ to: addressOf(reply.data.slug), ignoreBlocker: true })
      return reply
    },
  })
  const sameMeta = useSameMeta(form.fields.getValues(), scope)
  const links = useLinksToPosts()
  return (
    <>
      <PageHeader parents={parents} />
      <FormPage
        label="New post"
        isNew
        form={form}
        whyNotSave={made === '' ? whyNotSave : undefined}
        saveLabel="Create post"
        onCancel={() => void navigate({ to: '/posts' })}
      >
        <ArticleFields form={form} links={links} section="/posts" sameMeta={sameMeta}>
          <PostFields form={form} product_id={scope} />
        </ArticleFields>
      </FormPage>
    </>
  )
}

/** Page for editing the post identified by the URL. */
export function EditPostPage() {
  const { post = '' } = useParams({ strict: false }) as { post?: string }
  return (
    <RecordPage<{ data: Post }>
      asked={queryOptionsFor(posts.show, { params: { slug: post } })}
      title="Edit post"
      kept={({ data }) => ({ type: 'post', id: data.id })}
    >
      {({ data }) => <EditPost key={data.id} post={data} />}
    </RecordPage>
  )
}

function EditPost({ post }: { post: Post }) {
  const navigate = useNavigate()
  const { send } = useSend(posts.update, { failure: 'throw' })
  const revoked = useWhyNotSave(posts.update)
  const policy = useWhyNot(policies.post.update, post)
  const form = useRecordForm({
    name: `post-${post.id}`,
    fields: formFields,
    schema: PostChange,
    record: post,
    title: post.title,
    adapt,
    update: async (body) => {
      const reply = await send({
        params: { slug: String(post.id) },
        query: { product_id: post.product_id },
        body,
      })
      if (reply) void navigate({ to: addressOf(reply.data.slug), ignoreBlocker: true })
      return reply
    },
  })
  const sameMeta = useSameMeta(form.fields.getValues(), post.product_id, post.id)
  const links = useLinksToPosts()
  return (
    <>
      <PageHeader title={post.title} parents={[...parents, [addressOf(post.slug), 'Post']]}>
        <Presence type="post" id={post.id} />
      </PageHeader>
      <FormPage
        label={`Edit ${post.title}`}
        form={form}
        whyNotSave={revoked ?? policy}
        onCancel={() => void navigate({ to: addressOf(post.slug) })}
      >
        <ArticleFields
          form={form}
          links={links}
          section="/posts"
          slug={post.slug}
          sameMeta={sameMeta}
          wasPublished={post.first_published_at !== null}
        >
          <PostFields form={form} product_id={post.product_id} />
        </ArticleFields>
      </FormPage>
    </>
  )
}

const pauseMs = 400

/**
 * Returns the product's other posts that have the same meta title or description; debounced as the user
 * types.
 */
function useSameMeta(
  { meta_title, meta_description }: FieldValues<typeof postFields>,
  product_id: number,
  except?: number,
) {
  const [typed] = useDebouncedValue(JSON.stringify([meta_title.trim(), meta_description.trim()]), pauseMs)
  const [title, description] = JSON.parse(typed) as [string, string]
  const query = {
    product_id,
    meta_title: title,
    meta_description: description,
    ...(except === undefined ? {} : { except }),
  }
  const asked = queryOptionsFor(posts.sameMeta, { query })
  const { data } = useQuery({
    ...asked,
    enabled: () =>
      (title !== '' || description !== '') &&
      title.length <= 300 &&
      description.length <= 1000 &&
      asked.enabled(),
  })
  return data && { title: data.meta_title, description: data.meta_description }
}

function PostFields({ form, product_id }: { form: PostForm; product_id: number }) {
  const { fields } = form
  return (
    <>
      <CategoryField
        {...form.control('category')}
        none="Choose a category"
        find={findCategoriesOf('post', { product_id })}
      />
      <TagsField
        typed={fields.values.tag}
        onType={(tag) => fields.setFieldValue('tag', tag)}
        {...fields.getInputProps('tags')}
      />
    </>
  )
}
