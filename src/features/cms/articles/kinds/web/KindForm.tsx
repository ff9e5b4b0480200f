import { useState } from 'react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { articleKindRow, type ArticleKindName } from '#shared/article-kinds.ts'
import {
  articleChangeOf,
  callsOf,
  newArticleOf,
  type KindArticle,
} from '#features/cms/articles/kinds/contract.ts'
import { kindFields } from '#features/cms/articles/kinds/fields.ts'
import { KindParts } from '#features/cms/articles/kinds/web/KindParts.tsx'
import { addressIn } from '#features/cms/articles/kinds/web/kindAddress.ts'
import { QuietRecordPage } from '#features/cms/articles/kinds/web/QuietRecordPage.tsx'
import { logFailure } from '#features/cms/articles/kinds/web/logFailure.ts'
import { useLinksToPosts } from '#features/cms/articles/posts/web/useLinksToPosts.tsx'
import { ArticleFields } from '#features/cms/articles/shared/web/ArticleFields.tsx'
import { useSend } from '#web/api/useSend.ts'
import { FormPage } from '#web/form/FormPage.tsx'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { EmptyState } from '#web/list/states.tsx'
import { Presence } from '#web/record/Presence.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { capitalize } from '#shared/capitalize.ts'

interface Props {
  kind: ArticleKindName
}

const parentsOf = (kind: ArticleKindName) => {
  const { many } = articleKindRow(kind)
  return [[`/${kind}`, capitalize(many)]] as const
}

/** Page for creating an article of the given kind. */
export function NewKindPage({ kind }: Props) {
  const scope = useScope()
  if (scope !== undefined) return <NewArticleForm key={`${kind} ${scope}`} kind={kind} scope={scope} />
  return (
    <>
      <PageHeader parents={parentsOf(kind)} />
      <EmptyState title="No products assigned to you">Ask an Admin to assign you a product.</EmptyState>
    </>
  )
}

function NewArticleForm({ kind, scope }: Props & { scope: number }) {
  const { one } = articleKindRow(kind)
  const calls = callsOf(kind)
  const navigate = useNavigate()
  const [made, setMade] = useState('')
  const { send } = useSend(calls.create, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(calls.create)
  const links = useLinksToPosts()
  const form = useRecordForm({
    name: `${kind}-new-${scope}`,
    fields: kindFields,
    schema: newArticleOf(kind),
    showFailure: logFailure,
    create: async (body) => {
      const reply = await send({ query: { product_id: scope }, body })
      if (!reply) return undefined
      setMade(reply.data.slug)
      void navigate({ to: addressIn(kind, reply.data.slug), ignoreBlocker: true })
      return reply
    },
  })
  return (
    <>
      <PageHeader parents={parentsOf(kind)} />
      <FormPage
        label={`New ${one}`}
        isNew
        form={form}
        whyNotSave={made === '' ? whyNotSave : undefined}
        saveLabel={`Create ${one}`}
        onCancel={() => void navigate({ to: `/${kind}` })}
      >
        <ArticleFields form={form} links={links} section={`/${kind}`}>
          <KindParts kind={kind} form={form} />
        </ArticleFields>
      </FormPage>
    </>
  )
}

/** Page for editing the article identified by the URL. */
export function EditKindPage({ kind }: Props) {
  const { slug = '' } = useParams({ strict: false }) as { slug?: string }
  return (
    <QuietRecordPage kind={kind} slug={slug} title={`Edit ${articleKindRow(kind).one}`}>
      {(article) => <EditArticle key={article.id} kind={kind} article={article} />}
    </QuietRecordPage>
  )
}

function EditArticle({ kind, article }: Props & { article: KindArticle }) {
  const calls = callsOf(kind)
  const { one } = articleKindRow(kind)
  const navigate = useNavigate()
  const { send } = useSend(calls.update, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(calls.update)
  const form = useRecordForm({
    name: `${kind}-${article.id}`,
    fields: kindFields,
    schema: articleChangeOf(kind),
    record: article,
    title: article.title,
    showFailure: logFailure,
    update: async (body) => {
      const reply = await send({
        params: { slug: String(article.id) },
        query: { product_id: article.product_id },
        body,
      })
      if (reply) void navigate({ to: addressIn(kind, reply.data.slug), ignoreBlocker: true })
      return reply
    },
  })
  const address = addressIn(kind, article.slug)
  const links = useLinksToPosts()
  return (
    <>
      <PageHeader title={article.title} parents={[...parentsOf(kind), [address, capitalize(one)]]}>
        <Presence type={kind} id={article.id} />
      </PageHeader>
      <FormPage
        label={`Edit ${article.title}`}
        form={form}
        whyNotSave={whyNotSave}
        onCancel={() => void navigate({ to: address })}
      >
        <ArticleFields
          form={form}
          links={links}
          section={`/${kind}`}
          slug={article.slug}
          wasPublished={article.first_published_at !== null}
        >
          <KindParts kind={kind} form={form} />
        </ArticleFields>
      </FormPage>
    </>
  )
}
