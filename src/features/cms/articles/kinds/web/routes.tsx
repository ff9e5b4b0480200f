import { Suspense, type ComponentType } from 'react'
import { articleKindNames, articleKindRow, type ArticleKindName } from '#shared/article-kinds.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'
import { capitalize } from '#shared/capitalize.ts'

type KindComponent = ComponentType<{ kind: ArticleKindName }>

// All kinds share these chunks.
const List = lazyPart(() => import('#features/cms/articles/kinds/web/KindsPage.tsx'), 'KindsPage')
const Show = lazyPart(() => import('#features/cms/articles/kinds/web/KindPage.tsx'), 'KindPage')
const New = lazyPart(() => import('#features/cms/articles/kinds/web/KindForm.tsx'), 'NewKindPage')
const Edit = lazyPart(() => import('#features/cms/articles/kinds/web/KindForm.tsx'), 'EditKindPage')

const pageOf = (Component: KindComponent, kind: ArticleKindName) =>
  function KindRoute() {
    return (
      <Suspense>
        <Component key={kind} kind={kind} />
      </Suspense>
    )
  }

/** Builds the four routes for a kind. */
function makeRoutes(kind: ArticleKindName): readonly Page[] {
  const { one, many } = articleKindRow(kind)
  const Many = capitalize(many)
  const One = capitalize(one)
  return [
    {
      path: `/${kind}`,
      name: Many,
      component: pageOf(List, kind),
      prepare: async () => (await import('#features/cms/articles/kinds/web/KindsPage.tsx')).prepareKind(kind),
    },
    { path: `/${kind}/create`, name: `New ${one}`, component: pageOf(New, kind) },
    { path: `/${kind}/edit/$slug`, name: `Edit ${one}`, component: pageOf(Edit, kind) },
    { path: `/${kind}/$slug`, name: One, component: pageOf(Show, kind) },
  ]
}

export const kindPages: readonly Page[] = articleKindNames.flatMap(makeRoutes)
