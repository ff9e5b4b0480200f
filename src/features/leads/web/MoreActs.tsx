import { lazy, Suspense, useState } from 'react'
import type { LeadRow } from '#features/leads/contract.ts'
import { useLeadRights } from '#features/leads/web/LeadRights.tsx'
import classes from '#features/leads/web/leads.module.css'
import { loadChunk } from '#web/shell/lazy.tsx'

const MoreMenu = lazy(() => loadChunk(() => import('#features/leads/web/MoreMenu.tsx')))

/** What else can be done with a lead of the list: a plain button until the first click. */
export function MoreActs({ lead }: { lead: LeadRow }) {
  const [wanted, setWanted] = useState(false)
  const { more } = useLeadRights()
  // A form of the menu that is open stays when the right goes.
  if (!wanted && !more) return null
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
      ⋯
    </button>
  )
  if (!wanted) return button()
  return (
    <Suspense fallback={button()}>
      <MoreMenu lead={lead} target={button({ onClick: undefined })} />
    </Suspense>
  )
}
