import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { ArticleKindName } from '#shared/article-kinds.ts'
import { callsOf, type KindArticle } from '#features/cms/articles/kinds/contract.ts'
import { useLogFailure } from '#features/cms/articles/kinds/web/logFailure.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { useMay } from '#web/api/useSend.ts'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { LoadingState } from '#web/list/states.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'

interface Props {
  kind: ArticleKindName
  slug: string
  title: string
  children: (article: KindArticle) => ReactNode
}

/**
 * Page for a loaded article. Failures are only logged to the console (B §8); an unknown slug shows the
 * not-found page.
 */
export function QuietRecordPage({ kind, slug, title, children }: Props) {
  const scope = useScope()
  const asked = queryOptionsFor(callsOf(kind).show, { params: { slug, productId: scope ?? 0 } })
  const may = useMay(callsOf(kind).show, { params: { slug, productId: scope ?? 0 } })
  const { data, error, isLoading } = useQuery({
    ...asked,
    enabled: () => scope !== undefined && asked.enabled(),
  })
  useLogFailure(error)
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />
  if (data) return children(data.data)
  return (
    <>
      <PageHeader title={title} />
      {isLoading && <LoadingState />}
      {!may && <NoAccess />}
    </>
  )
}
