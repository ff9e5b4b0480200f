import type { ReactNode } from 'react'
import { LayoutSwitch, type LayoutChoice, type LayoutName } from '#web/list/inbox/LayoutSwitch.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'

interface Props<Layout extends LayoutName> {
  list: { may: boolean }
  /** Name of the page; defaults to the route's name. */
  title?: string | undefined
  /** Parent pages in the breadcrumb above the list. */
  parents?: readonly (readonly [to: string, name: string])[] | undefined
  /** The layouts of the list, if it has more than one. */
  layouts?: LayoutChoice<Layout> | undefined
  /** The page's primary action, such as a New button. */
  children?: ReactNode
}

/** A list page's heading. Without permission, nothing is requested, and only that is said (A §5). */
export function ListHead<Layout extends LayoutName>({
  list,
  title,
  parents,
  layouts,
  children,
}: Props<Layout>) {
  return (
    <>
      <PageHeader {...(title ? { title } : {})} {...(parents ? { parents } : {})}>
        {list.may && layouts && <LayoutSwitch {...layouts} />}
        {list.may && children}
      </PageHeader>
      {!list.may && <NoAccess />}
    </>
  )
}
