import { useEffect } from 'react'
import { ActionIcon } from '@mantine/core'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { pageCount } from '#shared/page.ts'
import { leads, leadsPerPage } from '#features/leads/contract.ts'
import type { AmongLeads } from '#features/leads/web/among.ts'
import { leadAddress } from '#features/leads/web/LeadLink.tsx'
import classes from '#features/leads/web/LeadSteps.module.css'
import { hasList, useNeighbours, type Neighbours } from '#features/leads/web/useNeighbours.ts'
import { ask } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { usePageKeys } from '#web/list/usePageKeys.ts'
import { useScope } from '#web/shell/useScope.ts'

/** The way through the list that a lead was opened from, and back to it; nothing for those who came by a bare link. */
export function LeadSteps({ id }: { id: number }) {
  const among = useRouterState({ select: ({ location }) => location.state.among })
  const product = useScope()
  // With another product it is another list.
  if (!among || !hasList(among) || among.lead_for !== product) return null
  return <Steps key={id} id={id} among={among} />
}

function Steps({ id, among }: { id: number; among: AmongLeads }) {
  const navigate = useNavigate()
  const { position, place, total, previous, next } = useNeighbours(id, among)
  const nextId = next?.lead.lead_id
  useEffect(() => {
    if (nextId !== undefined) void prefetch(ask(leads.show, { query: { id: nextId } }))
  }, [nextId])

  // In the place of this one: the browser's own way back leads to the list.
  const go = (to: Neighbours['next']) => to && void navigate({ to: leadAddress(to.lead), state: { among: { ...among, position: to.position } }, replace: true })
  usePageKeys({ j: () => go(next), k: () => go(previous) })

  const page = Math.min(Math.ceil(place / leadsPerPage), pageCount(total ?? place, leadsPerPage))
  return (
    <nav aria-label="The list" className={classes.steps}>
      <Link to={among.list} search={{ ...among.search, ...(page > 1 ? { page } : {}) }} className={classes.back}>
        Back to the list
      </Link>
      <Step label="Previous lead" sign="k" onStep={previous && (() => go(previous))} icon={<IconChevronLeft size={16} aria-hidden />} />
      <span className={classes.place} title={total !== undefined && position === undefined ? 'This lead has left the list.' : undefined}>
        {total !== undefined && `${position?.toLocaleString('en-US') ?? '–'} of ${total.toLocaleString('en-US')}`}
      </span>
      <Step label="Next lead" sign="j" onStep={next && (() => go(next))} icon={<IconChevronRight size={16} aria-hidden />} />
    </nav>
  )
}

function Step({ label, sign, onStep, icon }: { label: string; sign: string; onStep: (() => void) | undefined; icon: React.ReactNode }) {
  return (
    <ActionIcon variant="default" size={30} aria-label={label} title={`${label} (${sign})`} disabled={!onStep} onClick={onStep}>
      {icon}
    </ActionIcon>
  )
}
