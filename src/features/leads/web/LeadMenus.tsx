import { lazy, Suspense, useState } from 'react'
import { Menu } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { leads, type Lead } from '#features/leads/contract.ts'
import { rejectedStatus } from '#features/leads/rules.ts'
import type { Opened } from '#features/leads/web/CellMenu.tsx'
import { useLeadOptions } from '#features/leads/web/LeadOptions.tsx'
import { useLeadRights } from '#features/leads/web/LeadRights.tsx'
import { refreshedByLead, showInList } from '#features/leads/web/showInList.ts'
import { useSend } from '#web/api/useSend.ts'
import { ClickedMenu } from '#web/shell/ClickedMenu.tsx'
import { loadChunk } from '#web/shell/lazy.tsx'
import { Tone } from '#web/shell/Tone.tsx'

/*
 * The menus of a lead's cells, in one piece of code: it comes with the first of them.
 */

const RejectLead = lazy(() => loadChunk(() => import('#features/leads/web/RejectLead.tsx')))

/** The statuses that somebody may choose; the rejected one asks for its message first. */
export function StatusMenu({ lead, target, shown }: Opened & { lead: Pick<Lead, 'lead_id' | 'companyName' | 'status'> }) {
  const { statuses } = useLeadOptions()
  const { setStatus, reject } = useLeadRights()
  const [rejecting, setRejecting] = useState(false)
  const { send } = useSend(leads.changeLeadStatus, {
    refresh: refreshedByLead,
    showAtOnce: ({ query }, queries) => showInList(queries, query.id as number, { status: Number(query.status) }),
  })
  // A form that is open stays when the right goes.
  if (!setStatus && !reject && !rejecting) return shown
  return (
    <>
      <ToneMenu
        label={`Status of ${lead.companyName}`}
        target={target}
        options={statuses.filter(({ id }) => (id === rejectedStatus ? reject : setStatus))}
        chosen={lead.status}
        onChoose={(status) => (status === rejectedStatus ? setRejecting(true) : void send({ query: { id: lead.lead_id, status } }))}
      />
      {rejecting && (
        <Suspense>
          <RejectLead lead={lead} onClose={() => setRejecting(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The priority colours. */
export function ColorMenu({ lead, target, shown }: Opened & { lead: Pick<Lead, 'lead_id' | 'companyName' | 'color'> }) {
  const { colors } = useLeadOptions()
  const { setColor } = useLeadRights()
  const { send } = useSend(leads.changeColor, {
    refresh: refreshedByLead,
    showAtOnce: ({ query }, queries) => showInList(queries, query.id as number, { color: Number(query.color) }),
  })
  if (!setColor) return shown
  return (
    <ToneMenu
      label={`Priority of ${lead.companyName}`}
      target={target}
      options={colors}
      chosen={lead.color}
      onChoose={(color) => void send({ query: { id: lead.lead_id, color } })}
    />
  )
}

const nobody = 0

/** Who may look after a lead. */
export function AssignMenu({ lead, target }: Pick<Opened, 'target'> & { lead: Pick<Lead, 'lead_id' | 'companyName' | 'assign_to'> }) {
  const { staff } = useLeadOptions()
  const { send } = useSend(leads.update, {
    refresh: refreshedByLead,
    showAtOnce: ({ body }, queries) =>
      showInList(queries, lead.lead_id, { assign_to: body.assign_to ?? null, assigned_name: staff.find(({ id }) => id === body.assign_to)?.name ?? null }),
  })
  return (
    <ToneMenu
      label={`Assignment of ${lead.companyName}`}
      target={target}
      options={[{ id: nobody, name: 'Nobody', tone: 'gray' }, ...staff.map(({ id, name }) => ({ id, name, tone: 'blue' }))]}
      chosen={lead.assign_to ?? nobody}
      onChoose={(id) => void send({ body: { lead_id: lead.lead_id, assign_to: id === nobody ? null : id } })}
    />
  )
}

interface Props extends Pick<Opened, 'target'> {
  label: string
  options: readonly { id: number; name: string; tone: string }[]
  chosen: number
  onChoose: (id: number) => void
}

function ToneMenu({ label, target, options, chosen, onChoose }: Props) {
  return (
    <ClickedMenu target={target} position="bottom-start" width={190}>
      <Menu.Dropdown aria-label={label}>
        {options.map(({ id, name, tone }) => (
          <Menu.Item
            key={id}
            rightSection={id === chosen ? <IconCheck size={14} aria-label="chosen" /> : undefined}
            onClick={() => id !== chosen && onChoose(id)}
          >
            <Tone tone={tone}>{name}</Tone>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </ClickedMenu>
  )
}
