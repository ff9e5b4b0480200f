import type { ReactNode } from 'react'
import { PageHeader } from '#web/parts/PageHeader.tsx'

interface Props {
  list: { may: boolean }
  /** Name of the page; defaults to the route's name. */
  title?: string | undefined
  /** Parent pages in the breadcrumb above the list. */
  parents?: readonly (readonly [to: string, name: string])[] | undefined
  /** The page's primary action, such as a New button. */
  children?: ReactNode
}

/** A list page's heading. Without permission, nothing is requested and nothing else is shown (A §5). */
export function ListHead({ list, title, parents, children }: Props) {
  return (
    <PageHeader {...(title ? { title } : {})} {...(parents ? { parents } : {})}>
      {list.may && children}
    </PageHeader>
  )
}
