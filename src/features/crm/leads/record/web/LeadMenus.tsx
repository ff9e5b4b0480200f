import { Suspense, useState } from 'react'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { leads, type Lead } from '#features/crm/leads/contract.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { useLeadOptions, useWinDialog } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useLeadRights } from '#features/crm/leads/record/web/LeadRights.tsx'
import { useLeadChange } from '#features/crm/leads/record/web/useLeadChange.ts'
import { ChoiceMenu } from '#web/list/CellMenu.tsx'
import { tagItems } from '#web/list/tagItems.tsx'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'
import { Flag } from '#web/parts/Tone.tsx'

/* The menus of a lead's cells, in a single chunk that is loaded when the first of them is used. */

const RejectLead = lazyPart(() => import('#features/crm/leads/record/web/RejectLead.tsx'))

/** Menu of the statuses that the viewer is allowed to set; choosing Rejected first asks for the message. */
export function StatusMenu({
  lead,
  at,
}: {
  lead: Pick<Lead, 'lead_id' | 'companyName' | 'status'>
  at: MenuAt
}) {
  const { statuses } = useLeadOptions()
  const { setStatus, reject } = useLeadRights()
  const [rejecting, setRejecting] = useState(false)
  const [winning, setWinning] = useState<number>()
  const askToWin = useWinDialog()
  const send = useLeadChange(leads.changeLeadStatus, lead.lead_id, ({ query }) => ({
    status: Number(query.status),
  }))
  return (
    <>
      <ChoiceMenu
        label={`Status of ${lead.companyName}`}
        at={at}
        options={statuses.filter(({ id }) => (id === rejectedStatus ? reject : setStatus))}
        chosen={lead.status}
        onChoose={(status) => {
          const isWin = statuses.some(({ id, is_won }) => id === status && is_won) && lead.status !== status
          if (status === rejectedStatus) setRejecting(true)
          else if (isWin && askToWin) setWinning(status)
          else void send({ query: { id: lead.lead_id, status } })
        }}
      />
      {winning !== undefined &&
        askToWin?.({
          lead,
          onWithout: () => void send({ query: { id: lead.lead_id, status: winning } }),
          onClose: () => setWinning(undefined),
        })}
      {rejecting && (
        <Suspense>
          <RejectLead lead={lead} onClose={() => setRejecting(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Menu of priority colors. */
export function ColorMenu({
  lead,
  at,
}: {
  lead: Pick<Lead, 'lead_id' | 'companyName' | 'color'>
  at: MenuAt
}) {
  const { colors } = useLeadOptions()
  const send = useLeadChange(leads.changeColor, lead.lead_id, ({ query }) => ({ color: Number(query.color) }))
  return (
    <ChoiceMenu
      label={`Priority of ${lead.companyName}`}
      at={at}
      options={colors}
      chosen={lead.color}
      as={Flag}
      onChoose={(color) => void send({ query: { id: lead.lead_id, color } })}
    />
  )
}

const nobody = 0

/** Menu of possible assignees. */
export function AssignMenu({
  lead,
  at,
}: {
  lead: Pick<Lead, 'lead_id' | 'companyName' | 'assign_to'>
  at: MenuAt
}) {
  const { staff } = useLeadOptions()
  const send = useLeadChange(leads.update, lead.lead_id, ({ body: { assign_to = null } }) => ({
    assign_to,
    assigned_name: staff.find(({ id }) => id === assign_to)?.name ?? null,
  }))
  return (
    <ChoiceMenu
      label={`Assignee of ${lead.companyName}`}
      at={at}
      options={[{ id: nobody, name: 'Unassigned' }, ...staff]}
      chosen={lead.assign_to ?? nobody}
      onChoose={(id) => void send({ body: { lead_id: lead.lead_id, assign_to: id === nobody ? null : id } })}
    />
  )
}

const withTag = ({ tag_ids }: Pick<Lead, 'tag_ids'>, tag_id: number, add: boolean) => ({
  tag_ids: [...tag_ids.filter((id) => id !== tag_id), ...(add ? [tag_id] : [])],
})

/** Menu of tags, in which one is added or removed; each is a separate change, so that none is lost. */
export function TagMenu({
  lead,
  at,
}: {
  lead: Pick<Lead, 'lead_id' | 'companyName' | 'tag_ids'>
  at: MenuAt
}) {
  const { tags } = useLeadOptions()
  const send = useLeadChange(leadOperations.change, lead.lead_id, ({ body: { change } }) =>
    change.kind === 'tags' ? withTag(lead, Number(change.tag_id), change.add) : {},
  )
  const toggle = (tag_id: number) =>
    void send({
      body: {
        selection: { ids: [lead.lead_id] },
        change: { kind: 'tags', tag_id, add: !lead.tag_ids.includes(tag_id) },
      },
    })
  return (
    <Menu {...at} label={`Tags of ${lead.companyName}`} width={210} searchLabel="Search tags">
      {(typed) =>
        tagItems(tags, typed, ({ id, name }) => (
          <MenuItem
            key={id}
            mark={lead.tag_ids.includes(id) && <IconCheck size={14} aria-label="chosen" />}
            onClick={() => toggle(id)}
          >
            {name}
          </MenuItem>
        ))
      }
    </Menu>
  )
}
