import IconBook from '@tabler/icons-react/dist/esm/icons/IconBook.mjs'
import IconBriefcase from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs'
import IconCalendarEvent from '@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import { Suspense, type ComponentType } from 'react'
import { articleKindNames, articleKindRow, type ArticleKindName } from '#shared/article-kinds.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import type { MenuPlace, MenuIcon } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'
import { capitalize } from '#shared/capitalize.ts'

const icons: Readonly<Record<string, MenuIcon>> = {
  'case-study': IconBriefcase,
  event: IconCalendarEvent,
  webinar: IconVideo,
  'user-guide': IconBook,
}

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

/**
 * Returns the menu links of a kind's list and, if creating articles has a separate permission key, of the page
 * for creating one.
 */
function linksOf(kind: ArticleKindName): { list: MenuPlace; create?: MenuPlace } {
  const { one, many, key, newKey } = articleKindRow(kind)
  const entry = { group: 'CMS', icon: icons[kind] ?? IconFileText, needs: key } as const
  if (newKey === undefined) return { list: entry }
  const under = { ...entry, label: capitalize(many) }
  return {
    list: { under, label: `All ${many}` },
    create: { under, label: `New ${one}`, needs: newKey },
  }
}

/** Builds the four routes for a kind. */
function makeRoutes(kind: ArticleKindName): readonly Page[] {
  const { one, many } = articleKindRow(kind)
  const Many = capitalize(many)
  const One = capitalize(one)
  const { list, create = [] } = linksOf(kind)
  return [
    {
      path: `/${kind}`,
      name: Many,
      menu: list,
      component: pageOf(List, kind),
      prepare: async () => (await import('#features/cms/articles/kinds/web/KindsPage.tsx')).prepareKind(kind),
    },
    { path: `/${kind}/create`, name: `New ${one}`, menu: create, component: pageOf(New, kind) },
    { path: `/${kind}/edit/$slug`, name: `Edit ${one}`, component: pageOf(Edit, kind) },
    { path: `/${kind}/$slug`, name: One, component: pageOf(Show, kind) },
  ]
}

export const kindPages: readonly Page[] = articleKindNames.flatMap(makeRoutes)
