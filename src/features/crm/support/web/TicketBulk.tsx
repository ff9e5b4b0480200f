import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { nameInChoice } from '#shared/away.contract.ts'
import { dayText } from '#shared/dates.ts'
import { bulkReply } from '#features/crm/support/bulk-reply.contract.ts'
import { desk, mostDistributed } from '#features/crm/support/desk.contract.ts'
import { mostAnswered } from '#features/crm/support/incidents.contract.ts'
import { mostMerged, ticketMerge } from '#features/crm/support/merge.contract.ts'
import { ticketPriorities } from '#features/crm/support/rules.ts'
import { BulkMore } from '#features/crm/support/web/BulkMore.tsx'
import { useAssignable } from '#features/crm/support/web/useAssignable.ts'
import { useTicketBulk, type BulkProps } from '#features/crm/support/web/useTicketBulk.ts'
import { useMay } from '#web/api/useSend.ts'
import { useLists } from '#web/filter/useOptions.ts'
import { BulkDay, BulkMenu, BulkTags } from '#web/list/BulkMenu.tsx'
import { MenuItem, MenuLine } from '#web/parts/Menu.tsx'
import { Flag, Tone } from '#web/parts/Tone.tsx'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const DistributeTickets = lazyPart(() => import('#features/crm/support/web/DistributeTickets.tsx'))
const BulkReply = lazyPart(() => import('#features/crm/support/web/answers/BulkReply.tsx'))
const MergeSelected = lazyPart(() => import('#features/crm/support/web/MergeSelected.tsx'))
const MakeIncident = lazyPart(() => import('#features/crm/support/web/incidents/MakeIncident.tsx'))
const LinkToIncident = lazyPart(() => import('#features/crm/support/web/incidents/LinkToIncident.tsx'))

/** Changes of the selected tickets, each of which can be undone. */
export default function TicketBulk(props: BulkProps) {
  const may = useMay(desk.changeMany, { body: { selection: {}, change: { kind: 'status', status: 0 } } })
  return may && <Menus {...props} />
}

function Menus(props: BulkProps) {
  const { change, sending } = useTicketBulk(props)
  const { ticket_statuses, ticket_categories, ticket_tags } = useLists(
    'ticket_statuses',
    'ticket_categories',
    'ticket_tags',
  )
  return (
    <>
      <AssignMenu {...props} change={change} sending={sending} />
      <BulkMenu label="Status" disabled={sending}>
        {ticket_statuses.map(({ id, name, tone = 'gray' }) => (
          <MenuItem key={id} onClick={() => void change({ kind: 'status', status: id }, `Status: ${name}`)}>
            <Tone tone={tone}>{name}</Tone>
          </MenuItem>
        ))}
      </BulkMenu>
      <BulkMenu label="Category" disabled={sending}>
        {ticket_categories.map(({ id, name, tone = 'gray' }) => (
          <MenuItem
            key={id}
            onClick={() => void change({ kind: 'category', category: id }, `Category: ${name}`)}
          >
            <Tone tone={tone}>{name}</Tone>
          </MenuItem>
        ))}
      </BulkMenu>
      <BulkMenu label="Priority" disabled={sending}>
        {ticketPriorities.map(({ id, name, tone }) => (
          <MenuItem
            key={id}
            onClick={() => void change({ kind: 'priority', priority: id }, `Priority: ${name}`)}
          >
            <Flag tone={tone}>{name}</Flag>
          </MenuItem>
        ))}
      </BulkMenu>
      {ticket_tags.length > 0 && (
        <BulkTags
          tags={ticket_tags}
          disabled={sending}
          onChoose={(what, about) => void change(what, about)}
        />
      )}
      <IncidentMenu {...props} change={change} sending={sending} />
      <ReplyButton {...props} sending={sending} />
      <MergeButton {...props} sending={sending} />
      <BulkDay
        label="Delivery date"
        dialog="Delivery date of the selected tickets"
        disabled={sending}
        onChoose={(delivery_date) =>
          void change(
            { kind: 'delivery', delivery_date },
            `Delivery date: ${delivery_date ? dayText(delivery_date) : 'none'}`,
          )
        }
      />
      <BulkMore {...props} change={change} sending={sending} />
    </>
  )
}

/** Assigns the selected tickets to someone, or to several people in turn. */
function AssignMenu({ chosen, change, sending }: BulkProps & ReturnType<typeof useTicketBulk>) {
  const [isDistributing, setDistributing] = useState(false)
  const viewer = useViewer()
  const assignable = useAssignable()
  const count = 'ids' in chosen ? chosen.ids.length : chosen.total
  const canDistribute = count >= 2 && count <= mostDistributed
  const assign = (assignee_id: number | null, name: string) =>
    void change({ kind: 'assign', assignee_id }, `Assignee: ${name}`)
  return (
    <>
      <BulkMenu label="Assign" disabled={sending}>
        {viewer && <MenuItem onClick={() => assign(viewer.id, 'Me')}>Me</MenuItem>}
        <MenuItem onClick={() => assign(null, 'Unassigned')}>Unassigned</MenuItem>
        <MenuItem
          disabled={!canDistribute}
          title={canDistribute ? undefined : `Select 2 to ${mostDistributed} tickets to distribute them.`}
          onClick={() => setDistributing(true)}
        >
          Distribute among…
        </MenuItem>
        <MenuLine />
        {assignable.map((person) => (
          <MenuItem key={person.id} onClick={() => assign(person.id, person.name)}>
            {nameInChoice(person)}
          </MenuItem>
        ))}
      </BulkMenu>
      {isDistributing && canDistribute && (
        <Suspense>
          <DistributeTickets
            count={count}
            onClose={() => setDistributing(false)}
            onChoose={(assignee_ids) =>
              change({ kind: 'distribute', assignee_ids }, `Distribute among ${assignee_ids.length} people`)
            }
          />
        </Suspense>
      )}
    </>
  )
}

/** Links the selected tickets to an incident, makes one of them, or unlinks them. */
function IncidentMenu({ chosen, change, sending }: BulkProps & ReturnType<typeof useTicketBulk>) {
  const [isLinking, setLinking] = useState(false)
  const [isMaking, setMaking] = useState(false)
  const ids = 'ids' in chosen ? chosen.ids : []
  const canMake = ids.length >= 2 && ids.length <= mostAnswered
  return (
    <>
      <BulkMenu label="Incident" disabled={sending}>
        <MenuItem onClick={() => setLinking(true)}>Link to incident…</MenuItem>
        <MenuItem
          disabled={!canMake}
          title={canMake ? undefined : `Select 2 to ${mostAnswered} tickets to make an incident of them.`}
          onClick={() => setMaking(true)}
        >
          {canMake ? `Make an incident of ${ids.length} tickets…` : 'Make an incident…'}
        </MenuItem>
        <MenuItem
          onClick={() => void change({ kind: 'incident', incident_id: null }, 'Unlink from incident')}
        >
          Unlink
        </MenuItem>
      </BulkMenu>
      {isLinking && (
        <Suspense>
          <LinkToIncident
            onClose={() => setLinking(false)}
            onChoose={({ id }) => change({ kind: 'incident', incident_id: id }, `Link to incident #${id}`)}
          />
        </Suspense>
      )}
      {isMaking && canMake && (
        <Suspense>
          <MakeIncident ids={ids} change={change} sending={sending} onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Opens one reply to the selected tickets. */
function ReplyButton({ chosen, onDone, sending }: BulkProps & { sending: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const ids = 'ids' in chosen ? chosen.ids : []
  const may = useMay(bulkReply.answer, { body: { message: '', ticket_ids: [] } })
  const canReply = ids.length > 0 && ids.length <= mostAnswered
  return (
    may && (
      <>
        <Button
          size="compact-xs"
          variant="default"
          disabled={sending || !canReply}
          title={canReply ? undefined : `Select up to ${mostAnswered} tickets to reply to them.`}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          Reply
        </Button>
        {isOpen && canReply && (
          <Suspense>
            <BulkReply ids={ids} onClose={() => setOpen(false)} onDone={onDone} />
          </Suspense>
        )}
      </>
    )
  )
}

/** Opens the merge of the selected tickets. */
function MergeButton({ chosen, onDone, sending }: BulkProps & { sending: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const ids = 'ids' in chosen ? chosen.ids : []
  const may = useMay(ticketMerge.merge, { params: { ticket: ids[0] ?? 0 }, body: { into: ids[1] ?? 0 } })
  const canMerge = ids.length >= 2 && ids.length <= mostMerged
  return (
    may && (
      <>
        <Button
          size="compact-xs"
          variant="default"
          disabled={sending || !canMerge}
          title={canMerge ? undefined : `Select 2 to ${mostMerged} tickets to merge them.`}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          Merge
        </Button>
        {isOpen && canMerge && (
          <Suspense>
            <MergeSelected ids={ids} onClose={() => setOpen(false)} onDone={onDone} />
          </Suspense>
        )}
      </>
    )
  )
}
