import { useState } from 'react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { articleKindRow, type ArticleKindName } from '#shared/article-kinds.ts'
import { callsOf } from '#features/cms/articles/kinds/contract.ts'
import { listsOf } from '#features/cms/articles/kinds/web/KindActions.tsx'
import { QuietRecord } from '#features/cms/articles/kinds/web/KindPage.tsx'
import { addressIn } from '#features/cms/articles/kinds/web/KindsPage.tsx'
import { tellConsole } from '#features/cms/articles/kinds/web/useQuietFailure.ts'
import { ArticleChange, NewArticle, type Article } from '#features/cms/articles/shared/contract.ts'
import { ArticleFields } from '#features/cms/articles/shared/web/ArticleFields.tsx'
import { articleToSend, articleValues, articleWords, changesOf, emptyArticle, type ArticleValues } from '#features/cms/articles/shared/web/articleValues.ts'
import { useSend } from '#web/api/useSend.ts'
import { FormPage } from '#web/form/FormPage.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { EmptyState } from '#web/list/states.tsx'
import { useMerged } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { PageHeader } from '#web/shell/PageHeader.tsx'
import { toast } from '#web/shell/toast.ts'
import { useScope } from '#web/shell/useScope.ts'

interface Props {
  kind: ArticleKindName
}

const parentsOf = (kind: ArticleKindName) => {
  const { many } = articleKindRow(kind)
  return [[`/${kind}`, `${many[0]!.toUpperCase()}${many.slice(1)}`]] as const
}

/** Writes a new article of a kind. */
export function NewKindPage({ kind }: Props) {
  const scope = useScope()
  if (scope !== undefined) return <NewArticleForm key={`${kind} ${scope}`} kind={kind} scope={scope} />
  return (
    <>
      <PageHeader parents={parentsOf(kind)} />
      <EmptyState title="No product is assigned to you">An article belongs to a product.</EmptyState>
    </>
  )
}

function NewArticleForm({ kind, scope }: Props & { scope: number }) {
  const { one } = articleKindRow(kind)
  const calls = callsOf(kind)
  const navigate = useNavigate()
  const [made, setMade] = useState('')
  const { send } = useSend(calls.create, { refresh: listsOf(kind), failure: 'throw' })
  const whyNotSave = useWhyNotSave(calls.create)
  const form = useDraftForm<ArticleValues>({
    name: `${kind}-new-${scope}`,
    initial: emptyArticle,
    schema: NewArticle,
    toSend: articleToSend,
    showFailure: tellConsole,
    onSave: async (values) => {
      const reply = await send({ query: { product_id: scope }, body: articleToSend(values) })
      if (!reply) return
      toast.success(reply.message)
      setMade(reply.data.slug)
      void navigate({ to: addressIn(kind, reply.data.slug), ignoreBlocker: true })
    },
  })
  return (
    <>
      <PageHeader parents={parentsOf(kind)} />
      <FormPage
        label={`New ${one}`}
        form={form}
        whyNotSave={made === '' ? whyNotSave : undefined}
        saveLabel={`Create ${one}`}
        onCancel={() => void navigate({ to: `/${kind}` })}
      >
        <ArticleFields form={form} section={`/${kind}`} />
      </FormPage>
    </>
  )
}

/** Changes the article that the address names. */
export function EditKindPage({ kind }: Props) {
  const { slug = '' } = useParams({ strict: false }) as { slug?: string }
  return (
    <QuietRecord kind={kind} slug={slug} title={`Edit ${articleKindRow(kind).one}`}>
      {(article) => <EditArticle key={article.id} kind={kind} article={article} />}
    </QuietRecord>
  )
}

function EditArticle({ kind, article }: Props & { article: Article }) {
  const calls = callsOf(kind)
  const { one } = articleKindRow(kind)
  const navigate = useNavigate()
  const stored = articleValues(article)
  const { send } = useSend(calls.update, { refresh: listsOf(kind), failure: 'throw' })
  const { sayDone } = useUndo(listsOf(kind))
  const { save, dialog } = useMerged<Partial<ReturnType<typeof articleToSend>>>({ ...articleToSend(stored), ...article }, article.title, articleWords)
  const whyNotSave = useWhyNotSave(calls.update)
  const form = useDraftForm<ArticleValues>({
    name: `${kind}-${article.id}`,
    initial: stored,
    schema: ArticleChange,
    toSend: articleToSend,
    showFailure: tellConsole,
    onSave: async (values) => {
      await save(
        changesOf(articleToSend(values), articleToSend(stored)),
        async (left, seen) => {
          const reply = await send({ params: { slug: String(article.id) }, query: { product_id: article.product_id }, body: { ...left, ...seen } })
          if (!reply) return
          sayDone(reply.message, reply.operation)
          void navigate({ to: addressIn(kind, reply.data.slug), ignoreBlocker: true })
        },
        form.outdated,
      )
    },
  })
  const address = addressIn(kind, article.slug)
  return (
    <>
      <PageHeader title={article.title} parents={[...parentsOf(kind), [address, `${one[0]!.toUpperCase()}${one.slice(1)}`]]} />
      <FormPage label={`Edit ${article.title}`} form={form} whyNotSave={whyNotSave} onCancel={() => void navigate({ to: address })}>
        <ArticleFields form={form} section={`/${kind}`} slug={article.slug} />
      </FormPage>
      {dialog}
    </>
  )
}
