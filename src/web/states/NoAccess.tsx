import type { ComponentProps, ReactNode } from 'react'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { State } from '#web/list/states.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'

interface Props {
  /** Defaults to “this page”, which also gets a link to the dashboard. */
  to?: string
  /** The roles that have access, or how to get it. */
  children?: ReactNode
}

/** Content in place of something that the viewer's role can't see. */
export const NoAccess = ({ to, children = 'Ask an admin to add the permission to your role.' }: Props) => (
  <State
    icon={IconLock}
    title={`You don’t have access to ${to ?? 'this page'}`}
    action={to === undefined && <PageLink to="/dashboard">Go to dashboard</PageLink>}
  >
    {children}
  </State>
)

/** A page that the viewer's role can't see: nothing is requested, and only its name is shown (A §5). */
export const NoAccessPage = (props: ComponentProps<typeof PageHeader>) => (
  <>
    <PageHeader {...props} />
    <NoAccess />
  </>
)
