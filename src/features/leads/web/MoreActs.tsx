import { lazy, Suspense, useState } from 'react'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { can, type Permission } from '#shared/access.ts'
import type { LeadRow } from '#features/leads/contract.ts'
import classes from '#features/leads/web/leads.module.css'
import { useViewer } from '#web/session.ts'
import { loadChunk } from '#web/shell/lazy.tsx'

const MoreMenu = lazy(() => loadChunk(() => import('#features/leads/web/MoreMenu.tsx')))

/** Who has none of these finds nothing in the menu; named here because their contracts come with it. */
const rights: readonly Permission[] = ['lead_create_website', 'lead_create_organization', 'lead_send_prospection_mail', 'lead_prospection_question']

/** What else can be done with a lead of the list: a plain button until the first click. */
export function MoreActs({ lead }: { lead: LeadRow }) {
  const [wanted, setWanted] = useState(false)
  const viewer = useViewer()
  // A form of the menu that is open stays when the right goes.
  if (!wanted && !rights.some((right) => can(viewer, right))) return null
  const button = (props: object = {}) => (
    <button
      type="button"
      className={`${classes.action} ${classes.more}`}
      aria-haspopup="menu"
      aria-label={`More of ${lead.companyName}`}
      title="More"
      onClick={() => setWanted(true)}
      {...props}
    >
      <IconDots size={14} aria-hidden />
    </button>
  )
  if (!wanted) return button()
  return (
    <Suspense fallback={button()}>
      <MoreMenu lead={lead} target={button({ onClick: undefined })} />
    </Suspense>
  )
}
